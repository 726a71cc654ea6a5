package io.fluxmark.sinks;

import static org.assertj.core.api.Assertions.assertThat;

import io.fluxmark.sinks.MergedOracle.Tick;
import io.fluxmark.windows.Aggregations;
import io.fluxmark.windows.Checkpoint;
import io.fluxmark.windows.CheckpointSpec;
import io.fluxmark.windows.EventFlux;
import io.fluxmark.windows.FailurePolicy;
import io.fluxmark.windows.SourcePosition;
import io.fluxmark.windows.WatermarkSpec;
import io.fluxmark.windows.WindowResult;
import java.nio.file.Path;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Schedulers;

/** Jobs whose events are asked about: how long a barrier waits, and what is left after any break. */
class AsyncJobTest {

    private static final int CASES = Ticks.thorough() ? 2_000 : 30;
    private static final long SEED = 8_100;
    private static final int EVENTS = 200;

    @TempDir
    Path directory;

    private final Queue<Sinks.One<Tick>> calls = new ConcurrentLinkedQueue<>();
    private final AtomicInteger begun = new AtomicInteger();

    private static void append(MergedFixture place, int partitions) {
        for (int partition = 0; partition < partitions; partition++) {
            List<Tick> ticks = new ArrayList<>();
            for (int i = 0; i < EVENTS; i++) {
                ticks.add(new Tick(partition, "k" + i % 3, i));
            }
            place.append(partition, new ArrayList<>(ticks));
        }
    }

    private Mono<Tick> call(Tick tick) {
        Sinks.One<Tick> call = Sinks.one();
        calls.add(call);
        begun.incrementAndGet();
        return call.asMono().thenReturn(tick);
    }

    private void answer(int calls) {
        for (int i = 0; i < calls; i++) {
            this.calls.remove().tryEmitEmpty().orThrow();
        }
    }

    /** A barrier that is asked for while calls are under way comes behind these, and no other call begins before it. */
    @ParameterizedTest
    @CsvSource({"1, 4, 0", "1, 16, 0", "1, 16, 3600", "3, 5, 0", "3, 5, 3600", "1, 256, 3600"})
    void aBarrierWaitsForNoMoreThanOneAnnouncedRun(int partitions, int concurrency, int idleSeconds) {
        WatermarkSpec spec = WatermarkSpec.ascending();
        WatermarkSpec watermarks = idleSeconds == 0 ? spec : spec.idleAfter(Duration.ofSeconds(idleSeconds));
        Sinks.Many<Object> asked = Sinks.many().unicast().onBackpressureBuffer();
        List<Checkpoint> checkpoints = Collections.synchronizedList(new ArrayList<>());
        try (MergedFixture place = new MergedFixture(directory, partitions)) {
            append(place, partitions);
            EventFlux<Tick> events = LogSource.of(place.topic)
                    .placedExplicitly()
                    .watermarksMillis(Tick::time, watermarks)
                    .filter(tick -> true)
                    .mapAsync(concurrency, this::call)
                    .map(tick -> tick);
            Disposable job = events.keyBy(Tick::key)
                    .window(MergedFixture.WINDOWS)
                    .aggregate(Aggregations.counting())
                    .writeTo(
                            place.table,
                            CheckpointSpec.every(Duration.ofHours(1))
                                    .orWhen(asked.asFlux())
                                    .named("asked"))
                    .subscribe(checkpoints::add);
            int run = Math.min(concurrency, EVENTS);
            JobPlace.await("a run is asked about", () -> begun.get() == run);
            for (int round = 1; round <= 3 && round * concurrency <= EVENTS; round++) {
                asked.tryEmitNext(round).orThrow();
                int under = run * round;
                answer(run);
                int done = round;
                JobPlace.await("a checkpoint", () -> checkpoints.size() == done);
                assertThat(positions(checkpoints.get(round - 1)))
                        .as("what is read by then is the run that was under way")
                        .isEqualTo(under);
                int next = Math.min(partitions * EVENTS, under + run);
                JobPlace.await("the next run is asked about", () -> begun.get() == next);
            }
            job.dispose();
        }
    }

    private static long positions(Checkpoint checkpoint) {
        return checkpoint.lanes().stream()
                .flatMap(lane -> lane.positions().stream())
                .mapToLong(SourcePosition::nextOffset)
                .sum();
    }

    /** What becomes of an event, whenever it is asked about. */
    private static Mono<Tick> answer(Tick tick, Random latencies) {
        long micros;
        synchronized (latencies) {
            micros = latencies.nextInt(400);
        }
        Mono<Tick> answer = tick.time() % 17 == 0
                ? Mono.error(new IllegalStateException("no answer about " + tick))
                : tick.time() % 11 == 0
                        ? Mono.empty()
                        : Mono.just(new Tick(tick.partition(), tick.key() + "'", tick.time()));
        return micros < 100
                ? answer
                : micros < 200
                        ? answer.subscribeOn(Schedulers.parallel())
                        : Mono.delay(Duration.of(micros, ChronoUnit.MICROS)).then(answer);
    }

    private record Broken(Random random, AtomicInteger left) {}

    /** Cancelled, thrown out by a call and started again at random: each event is in the sums once. */
    @Test
    void nothingIsLostOrDoubledOverAnyBreaks() {
        long restarts = 0;
        long records = 0;
        long failed = 0;
        for (int i = 0; i < CASES; i++) {
            Random random = new Random(SEED + i);
            int partitions = 1 + random.nextInt(3);
            try (MergedFixture place = new MergedFixture(directory.resolve("case-" + i), partitions)) {
                Map<String, Long> expected = fill(place, partitions, random);
                records += expected.values().stream().mapToLong(n -> n).sum();
                CheckpointSpec spec =
                        CheckpointSpec.everyEvents(1 + random.nextInt(40)).named("job");
                int concurrency = 1 + random.nextInt(random.nextBoolean() ? 5 : 60);
                for (int restart = random.nextInt(5); restart > 0; restart--) {
                    restarts++;
                    failed += interrupt(place, spec, concurrency, random) ? 1 : 0;
                    place.reopenStore();
                }
                job(place, spec.drainWhen(Mono.empty()), concurrency, new Broken(new Random(i), never()))
                        .blockLast(MergedFixture.PATIENCE);
                assertThat(counts(place)).as("case %d", i).isEqualTo(expected);
            }
        }
        System.out.printf(
                "mapAsync in jobs: %d cases, %d results, %d restarts, %d of them after a failure, seed %d%n",
                CASES, records, restarts, failed, SEED);
        assertThat(failed).isPositive();
        assertThat(restarts).isGreaterThan(failed);
    }

    private static AtomicInteger never() {
        return new AtomicInteger(Integer.MAX_VALUE);
    }

    private static boolean interrupt(MergedFixture place, CheckpointSpec spec, int concurrency, Random random) {
        boolean fails = random.nextBoolean();
        Broken broken =
                new Broken(new Random(random.nextLong()), fails ? new AtomicInteger(random.nextInt(60)) : never());
        Flux<Checkpoint> job = job(place, spec, concurrency, broken).take(1 + random.nextInt(3));
        Boolean hasFailed = job.then(Mono.just(false))
                .onErrorReturn(AssertionError.class, true)
                .timeout(Duration.ofMillis(200), Mono.just(false)) // cancelled, with nothing more to commit
                .block(MergedFixture.PATIENCE);
        return Boolean.TRUE.equals(hasFailed);
    }

    private static Flux<Checkpoint> job(MergedFixture place, CheckpointSpec spec, int concurrency, Broken broken) {
        return LogSource.of(place.topic)
                .watermarksMillis(Tick::time, WatermarkSpec.boundedOutOfOrderness(Duration.ofSeconds(1)))
                .onFailure(FailurePolicy.skip())
                .mapAsync(
                        concurrency,
                        tick -> broken.left().getAndDecrement() <= 0
                                ? Mono.error(new AssertionError("on purpose")) // an Error ends the stream by any policy
                                : answer(tick, broken.random()))
                .keyBy(Tick::key)
                .window(MergedFixture.WINDOWS)
                .aggregate(Aggregations.counting())
                .writeTo(place.table.and(place.changes), spec);
    }

    private static Map<String, Long> fill(MergedFixture place, int partitions, Random random) {
        Map<String, Long> expected = new HashMap<>();
        for (int partition = 0; partition < partitions; partition++) {
            List<Tick> ticks = new ArrayList<>();
            int size = 20 + random.nextInt(100);
            for (int i = 0; i < size; i++) {
                Tick tick = new Tick(partition, "k" + random.nextInt(4), i * 3L + random.nextInt(100));
                ticks.add(tick);
                if (tick.time() % 17 != 0 && tick.time() % 11 != 0) {
                    expected.merge(tick.key() + "'" + tick.time() / MergedFixture.SIZE, 1L, Long::sum);
                }
            }
            place.append(partition, new ArrayList<>(ticks));
        }
        return expected;
    }

    private static Map<String, Long> counts(MergedFixture place) {
        Map<String, Long> counts = new HashMap<>();
        for (WindowResult<String, Long> row : place.table.rows().toIterable()) {
            counts.put(row.key() + row.window().start() / MergedFixture.SIZE, row.value());
        }
        return counts;
    }
}
