package io.fluxmark.benchmarks.state;

import io.fluxmark.benchmarks.Measurement;
import io.fluxmark.benchmarks.log.Workspace;
import io.fluxmark.state.StateStore;
import io.fluxmark.state.StoreSpec;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** Fills a store, updates it with each choice of keys, opens it again, and compares what it holds with what was done. */
final class StateBench {

    static final long SEED = 5;

    private final StateBenchOptions options;
    private final Workspace workspace;
    private final Scheduler clock;
    private final PrintStream out;
    private @Nullable StateFigures figures;
    private long updated;

    StateBench(StateBenchOptions options, Path directory, Scheduler clock, PrintStream out) {
        this.options = options;
        this.workspace = new Workspace(directory);
        this.clock = clock;
        this.out = out;
    }

    StateFigures run() {
        print(
                "State: %,d keys, %s with each choice, %d lanes; heap %d MiB, of which %d for entries and %d for"
                        + " pages; %s; JDK %s, %d processors, load %.1f",
                options.keys(),
                options.seconds() > 0
                        ? options.seconds() + " s of updates"
                        : String.format(Locale.ROOT, "%,d updates", options.updates()),
                options.lanes(),
                Runtime.getRuntime().maxMemory() >> 20,
                options.stateMegabytes(),
                options.cacheMegabytes(),
                workspace.fileSystem(),
                Runtime.version(),
                Runtime.getRuntime().availableProcessors(),
                Measurement.load());
        print("%-26s %14s %12s %10s %12s", "", "updates/s", "us/update", "commits", "file MiB");
        workspace.within(this::run);
        StateFigures shown = Objects.requireNonNull(figures);
        print("%n%s", shown.equal() ? "The state holds every update once." : "THE STATE IS NOT WHAT THE UPDATES MAKE.");
        return shown;
    }

    private void run(Path directory) {
        long began = clock.now(TimeUnit.NANOSECONDS);
        double fill;
        double uniform;
        double hotSet;
        try (StateStore store = open(directory)) {
            List<StateLane> lanes = lanes(store);
            fill = phase(store, lanes, KeyChoice.EACH_ONCE);
            uniform = phase(store, lanes, KeyChoice.UNIFORM);
            hotSet = phase(store, lanes, KeyChoice.HOT_SET);
        }
        long closed = clock.now(TimeUnit.NANOSECONDS);
        try (StateStore store = open(directory)) {
            List<StateLane> lanes = lanes(store);
            updated += each(
                            lanes,
                            lane -> lanes.get(lane)
                                    .update(KeyChoice.UNIFORM, 1, Long.MAX_VALUE, options.keysOf(lane), SEED),
                            StateLane.Progress::plus)
                    .updates();
            double restart = seconds(closed);
            print("%-26s %14.2f s, to the first commit of each lane", "restart", restart);
            long total = each(lanes, lane -> lanes.get(lane).total(), Long::sum);
            figures = new StateFigures(fill, uniform, hotSet, restart, total == updated);
            print("%-26s %14.1f s", "all with the check", seconds(began));
        }
    }

    /** Updates a second. */
    private double phase(StateStore store, List<StateLane> lanes, KeyChoice choice) {
        boolean fill = choice == KeyChoice.EACH_ONCE;
        long nanos = fill || options.seconds() == 0 ? Long.MAX_VALUE : TimeUnit.SECONDS.toNanos(options.seconds());
        long start = clock.now(TimeUnit.NANOSECONDS);
        StateLane.Progress progress = each(
                lanes,
                lane -> lanes.get(lane)
                        .update(
                                choice,
                                fill ? options.keysOf(lane) : options.updatesOf(lane),
                                nanos,
                                options.keysOf(lane),
                                SEED + lane),
                StateLane.Progress::plus);
        double seconds = seconds(start);
        updated += progress.updates();
        double rate = progress.updates() / seconds;
        print(
                "%-26s %,14.0f %12.1f %10d %12d",
                choice, rate, 1e6 / rate, progress.commits(), done(store.info()).fileBytes() >> 20);
        return rate;
    }

    /** The sum over the lanes, each on a thread of its own. */
    private static <T> T each(List<StateLane> lanes, Function<Integer, T> work, BinaryOperator<T> sum) {
        return done(Flux.range(0, lanes.size())
                .flatMap(
                        lane -> Mono.fromCallable(() -> work.apply(lane)).subscribeOn(Schedulers.boundedElastic()),
                        lanes.size())
                .reduce(sum));
    }

    private List<StateLane> lanes(StateStore store) {
        List<StateLane> lanes = new ArrayList<>();
        for (int lane = 0; lane < options.lanes(); lane++) {
            lanes.add(new StateLane(store, lane, ((long) options.stateMegabytes() << 20) / options.lanes(), clock));
        }
        return lanes;
    }

    private StateStore open(Path directory) {
        return done(StateStore.open(
                directory,
                StoreSpec.defaults()
                        .cacheMegabytes(options.cacheMegabytes())
                        .commitBytes((long) options.stateMegabytes() << 20)));
    }

    private double seconds(long since) {
        return (clock.now(TimeUnit.NANOSECONDS) - since) / 1e9;
    }

    private void print(String format, Object... arguments) {
        out.printf(Locale.ROOT, format + "%n", arguments);
    }

    static <T> T done(Mono<T> mono) {
        T value = mono.block();
        if (value == null) {
            throw new IllegalStateException("nothing came");
        }
        return value;
    }
}
