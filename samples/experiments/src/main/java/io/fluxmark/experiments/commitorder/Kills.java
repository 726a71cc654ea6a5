package io.fluxmark.experiments.commitorder;

import io.fluxmark.test.ChildJvm;
import io.fluxmark.test.RunningJvm;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** Kills counting processes, some at a time, each behind the last one over the same store. */
final class Kills {

    /** How many processes run at once, each with a store of its own. */
    static final int AT_ONCE = 2;

    private static final Duration PATIENCE = Duration.ofMinutes(5);

    /** Should nobody kill it: some minutes. */
    private static final String MOST_CYCLES = "50000";

    private final CommitOrder order;
    private final long spanNanos;
    private final ChildJvm counting;
    private final Scheduler clock;

    /**
     * @param spanNanos how long a process counts at most: some cycles, so that all moments within a cycle are as likely
     */
    Kills(CommitOrder order, long spanNanos, ChildJvm counting, Scheduler clock) {
        this.order = order;
        this.spanNanos = spanNanos;
        this.counting = counting;
        this.clock = clock;
    }

    /**
     * Kills so many.
     *
     * @return what each has left behind
     */
    List<Ledger.Difference> run(int kills, long seed, Path parent) {
        return Flux.range(0, AT_ONCE)
                .flatMap(worker -> Mono.fromCallable(() -> series(
                                kills / AT_ONCE + (worker < kills % AT_ONCE ? 1 : 0),
                                new Random(seed + worker),
                                parent.resolve(order + "-" + worker)))
                        .subscribeOn(Schedulers.boundedElastic()))
                .flatMapIterable(differences -> differences)
                .collectList()
                .blockOptional()
                .orElseThrow();
    }

    private List<Ledger.Difference> series(int kills, Random random, Path directory) {
        Ledger ledger = new Ledger(directory, order);
        Ledger.Difference untouched = ledger.look();
        if (untouched.twice() + untouched.missing() > 0) {
            throw new IllegalStateException("a new store holds " + untouched);
        }
        return IntStream.range(0, kills)
                .mapToObj(kill -> {
                    long before = ledger.records();
                    kill(directory, Duration.ofNanos(random.nextLong(spanNanos)));
                    Ledger.Difference left = ledger.look();
                    if (ledger.records() == before) {
                        throw new IllegalStateException("nothing had been committed before a kill");
                    }
                    return left;
                })
                .toList();
    }

    private void kill(Path directory, Duration after) {
        try (RunningJvm child =
                counting.args(directory.toString(), order.name(), MOST_CYCLES).start()) {
            child.awaitLine(CountingChild.UP::equals, PATIENCE);
            Mono.delay(after, clock).block();
            child.kill(PATIENCE);
            if (child.exit() != RunningJvm.KILLED) {
                throw new IllegalStateException("a process ended by itself: " + child.lines());
            }
        }
    }
}
