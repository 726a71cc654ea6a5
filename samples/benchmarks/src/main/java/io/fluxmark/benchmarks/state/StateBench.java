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
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** Fills a store, updates it with each choice of keys, opens it again, and compares what it holds with what was done. */
final class StateBench {

    private static final long SEED = 5;

    private final StateBenchOptions options;
    private final Workspace workspace;
    private final Scheduler clock;
    private final PrintStream out;
    private boolean equal;

    StateBench(StateBenchOptions options, Path directory, Scheduler clock, PrintStream out) {
        this.options = options;
        this.workspace = new Workspace(directory);
        this.clock = clock;
        this.out = out;
    }

    /** 0 if the state holds every update once, 1 if not. */
    int run() {
        print(
                "State: %,d keys, %,d updates with each choice, %d lanes; heap %d MiB, of which %d for entries and %d for"
                        + " pages; %s; JDK %s, %d processors, load %.1f",
                options.keys(),
                options.updates(),
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
        print("%n%s", equal ? "The state holds every update once." : "THE STATE IS NOT WHAT THE UPDATES MAKE.");
        return equal ? 0 : 1;
    }

    private void run(Path directory) {
        long began = clock.now(TimeUnit.NANOSECONDS);
        try (StateStore store = open(directory)) {
            List<StateLane> lanes = lanes(store);
            phase(store, lanes, KeyChoice.EACH_ONCE);
            phase(store, lanes, KeyChoice.UNIFORM);
            phase(store, lanes, KeyChoice.HOT_SET);
        }
        long closed = clock.now(TimeUnit.NANOSECONDS);
        try (StateStore store = open(directory)) {
            List<StateLane> lanes = lanes(store);
            each(lanes, lane -> lanes.get(lane).update(KeyChoice.UNIFORM, 1, options.keysOf(lane), SEED));
            double seconds = seconds(closed);
            print("%-26s %14.2f s, to the first commit of each lane", "restart", seconds);
            long expected = options.keys() + 2 * options.updates() + options.lanes();
            long total = each(lanes, lane -> lanes.get(lane).total());
            equal = total == expected;
            print("%-26s %14.1f s", "all with the check", seconds(began));
        }
    }

    private void phase(StateStore store, List<StateLane> lanes, KeyChoice choice) {
        long updates = choice == KeyChoice.EACH_ONCE ? options.keys() : options.updates();
        long start = clock.now(TimeUnit.NANOSECONDS);
        long commits = each(lanes, lane -> lanes.get(lane)
                .update(
                        choice,
                        choice == KeyChoice.EACH_ONCE ? options.keysOf(lane) : options.updatesOf(lane),
                        options.keysOf(lane),
                        SEED + lane));
        double seconds = seconds(start);
        print(
                "%-26s %,14.0f %12.1f %10d %12d",
                choice,
                updates / seconds,
                seconds * 1e6 / updates,
                commits,
                done(store.info()).fileBytes() >> 20);
    }

    /** The sum over the lanes, each on a thread of its own. */
    private static long each(List<StateLane> lanes, ToLongFunction<Integer> work) {
        return done(Flux.range(0, lanes.size())
                .flatMap(
                        lane -> Mono.fromCallable(() -> work.applyAsLong(lane))
                                .subscribeOn(Schedulers.boundedElastic()),
                        lanes.size())
                .reduce(Long::sum));
    }

    private List<StateLane> lanes(StateStore store) {
        List<StateLane> lanes = new ArrayList<>();
        for (int lane = 0; lane < options.lanes(); lane++) {
            lanes.add(new StateLane(store, lane, ((long) options.stateMegabytes() << 20) / options.lanes(), clock));
        }
        return lanes;
    }

    private StateStore open(Path directory) {
        return done(StateStore.open(directory, StoreSpec.defaults().cacheMegabytes(options.cacheMegabytes())));
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
