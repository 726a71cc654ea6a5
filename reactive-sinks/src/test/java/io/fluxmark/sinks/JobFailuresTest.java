package io.fluxmark.sinks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fluxmark.sinks.TickJob.Tick;
import io.fluxmark.state.StateStore;
import io.fluxmark.windows.Checkpoint;
import io.fluxmark.windows.CheckpointSpec;
import io.fluxmark.windows.Codec;
import io.fluxmark.windows.Counter;
import io.fluxmark.windows.Counters;
import io.fluxmark.windows.FailurePolicy;
import io.fluxmark.windows.KeyedProcess;
import io.fluxmark.windows.ProcessContext;
import io.fluxmark.windows.StateDescriptor;
import io.fluxmark.windows.TimeWindow;
import io.fluxmark.windows.ValueState;
import io.fluxmark.windows.WatermarkSpec;
import io.fluxmark.windows.WindowResult;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Events that a job's functions fail on, as rows of its own commits. */
class JobFailuresTest {

    private static final int PARTITIONS = 2;
    private static final int EACH = 3_000;

    @TempDir
    Path directory;

    private TickJob job;
    private FailureTable failures;

    @BeforeEach
    void open() {
        job = TickJob.open(directory, PARTITIONS);
        failures = FailureTable.of(job.store, "failures");
    }

    @AfterEach
    void close() {
        job.close();
    }

    private static boolean isEven(Tick tick) {
        if (tick.time() % 13 == 0) {
            throw new IllegalArgumentException("unlucky " + tick.time());
        }
        return tick.time() % 2 == 0;
    }

    private static Tick lower(Tick tick) {
        if (tick.time() % 17 == 0) {
            throw new IllegalStateException("no 17s");
        }
        return tick;
    }

    @Test
    void c73EachEventOfAJobIsProcessedOrARowAmongTheFailuresWhereverTheJobIsCut() {
        long seed = 2;
        Random random = new Random(seed);
        Map<String, Long> expectedRows = new TreeMap<>();
        List<String> expectedFailures = new ArrayList<>();
        for (int partition = 0; partition < PARTITIONS; partition++) {
            List<String> ticks = new ArrayList<>();
            for (int i = 0; i < EACH; i++) {
                String key = "k" + partition + random.nextInt(3);
                ticks.add(key + "@" + i);
                if (i % 13 == 0) {
                    expectedFailures.add("filter-1 ticks/" + partition + "/" + i + " at " + i
                            + " java.lang.IllegalArgumentException: unlucky " + i);
                } else if (i % 2 == 0 && i % 17 == 0) {
                    expectedFailures.add("map-2 ticks/" + partition + "/" + i + " at " + i
                            + " java.lang.IllegalStateException: no 17s");
                } else if (i % 2 == 0) {
                    long start = i / 10 * 10L;
                    expectedRows.merge(key + "[" + start + "," + (start + 10) + ")", 1L, Long::sum);
                }
            }
            job.append(partition, ticks);
        }
        job.before = events -> events.onFailure(FailurePolicy.deadLetterTo(failures))
                .filter(JobFailuresTest::isEven)
                .map(JobFailuresTest::lower);
        TableSink<String, Long> table = job.table("counts");
        CheckpointSpec spec = CheckpointSpec.everyEvents(100).named("job");
        for (int cut = 0; cut < 5; cut++) {
            job.run(table, spec).take(3).blockLast(TickJob.PATIENCE);
            Counters committed = job.status("job").lanes().stream()
                    .map(JobStatus.Lane::counts)
                    .reduce(Counters.ZERO, Counters::plus);
            assertThat(committed.sumHolds()).isTrue();
        }
        List<Checkpoint> run =
                job.run(table, spec.drainWhen(Mono.empty())).collectList().block(TickJob.PATIENCE);
        assertThat(TickJob.rows(table)).isEqualTo(expectedRows);
        List<String> rows = failures.failures()
                .map(row -> row.operator() + " " + row.position().source() + "/"
                        + row.position().partition() + "/" + row.position().offset() + " at " + row.timestamp() + " "
                        + row.cause())
                .collectList()
                .block(TickJob.PATIENCE);
        assertThat(rows).containsExactlyInAnyOrderElementsOf(expectedFailures);
        Counters counts = TickJob.counts(run);
        assertThat(counts.get(Counter.FAILED)).isEqualTo(expectedFailures.size());
        assertThat(counts.sumHolds()).isTrue();
        System.out.printf("failures of a job: %d of %d events, seed %d%n", rows.size(), PARTITIONS * EACH, seed);
    }

    @Test
    void theEventOfAFailureStandsInTheLogWhereItsRowSays() {
        job.append("k@1", "k@26", "k@3");
        job.before =
                events -> events.onFailure(FailurePolicy.deadLetterTo(failures)).filter(JobFailuresTest::isEven);
        job.run(job.table("counts"), CheckpointSpec.everyEvents(1).named("job").drainWhen(Mono.empty()))
                .blockLast(TickJob.PATIENCE);
        StoredFailure failure = failures.failures().single().block(TickJob.PATIENCE);
        assertThat(failure.event()).isEqualTo("Tick[key=k, time=26]");
        assertThat(job.partition(failure.position().partition())
                        .readTo(failure.position().offset(), failure.position().offset() + 1)
                        .map(record -> new String(record.value(), java.nio.charset.StandardCharsets.UTF_8))
                        .collectList()
                        .block(TickJob.PATIENCE))
                .containsExactly("k@26");
    }

    /** Counts what has come of a key, and says so some time after each event; some events and some timers it fails on. */
    private record Counting() implements KeyedProcess<String, Tick, WindowResult<String, Long>> {

        static final long SPAN = 5;
        private static final StateDescriptor<ValueState<Long>> COUNT = StateDescriptor.value("count", Codec.longs());

        static boolean failsOnEvent(long time) {
            return time % 13 == 0;
        }

        static boolean failsOnTimer(long time) {
            return time % 11 == 0;
        }

        @Override
        public List<StateDescriptor<?>> states() {
            return List.of(COUNT);
        }

        @Override
        public void onEvent(Tick tick, ProcessContext<String, WindowResult<String, Long>> context) {
            Long count = context.state(COUNT).get();
            context.state(COUNT).set(count == null ? 1 : count + 1);
            context.setTimer(tick.time() + SPAN);
            if (failsOnEvent(tick.time())) {
                throw new IllegalArgumentException("unlucky " + tick.time());
            }
        }

        @Override
        public void onTimer(ProcessContext<String, WindowResult<String, Long>> context) {
            long time = context.timestamp();
            TimeWindow span = new TimeWindow(time - SPAN, time + 1);
            long count = Objects.requireNonNull(context.state(COUNT).get());
            context.emit(new WindowResult<>(
                    context.key(), span, count, WindowResult.Kind.ON_TIME, 0, 0, context.watermark()));
            context.state(COUNT).set(count + 1_000_000);
            if (failsOnTimer(time)) {
                throw new IllegalStateException("no elevens");
            }
            context.state(COUNT).set(count);
        }
    }

    @Test
    void c73EachEventAndTimerOfAFunctionIsProcessedOrARowAmongTheFailuresWhereverTheJobIsCut() {
        List<String> expectedChanges = new ArrayList<>();
        List<String> expectedFailures = new ArrayList<>();
        long timers = 0;
        for (int partition = 0; partition < PARTITIONS; partition++) {
            String key = "k" + partition;
            List<String> ticks = new ArrayList<>();
            for (int time = 0; time < EACH; time++) {
                ticks.add(key + "@" + time);
                if (Counting.failsOnEvent(time)) {
                    expectedFailures.add("Tick[key=" + key + ", time=" + time + "] of " + partition + "/" + time);
                    continue;
                }
                timers++;
                long due = time + Counting.SPAN;
                if (Counting.failsOnTimer(due)) {
                    expectedFailures.add("DueTimer[key=" + key + ", timestamp=" + due + "] of nowhere");
                } else {
                    expectedChanges.add(key + " " + due + " " + countUpTo(Math.min(EACH, due + 2)));
                }
            }
            job.append(partition, ticks);
        }
        ChangelogSink<String, Long> changes = job.changelog("changes");
        Function<CheckpointSpec, Flux<Checkpoint>> function = spec -> LogSource.of(job.topic)
                .placedExplicitly()
                .watermarksMillis(Tick::time, WatermarkSpec.ascending())
                .onFailure(FailurePolicy.deadLetterTo(failures))
                .keyByRecordKey(Tick::key)
                .process(new Counting())
                .writeTo(changes, spec);
        CheckpointSpec spec = CheckpointSpec.everyEvents(100).named("function");
        for (int cut = 0; cut < 5; cut++) {
            function.apply(spec).take(3).blockLast(TickJob.PATIENCE);
            Counters committed = job.status("function").lanes().stream()
                    .map(JobStatus.Lane::counts)
                    .reduce(Counters.ZERO, Counters::plus);
            assertThat(committed.sumHolds()).isTrue();
        }
        List<Checkpoint> run =
                function.apply(spec.drainWhen(Mono.empty())).collectList().block(TickJob.PATIENCE);
        List<String> emitted = changes.changes()
                .map(row -> row.key() + " " + (row.window().end() - 1) + " " + row.value())
                .collectList()
                .block(TickJob.PATIENCE);
        assertThat(emitted).containsExactlyInAnyOrderElementsOf(expectedChanges);
        List<String> rows = failures.failures()
                .map(row -> row.event() + " of "
                        + (row.position() == null
                                ? "nowhere"
                                : row.position().partition() + "/"
                                        + row.position().offset()))
                .collectList()
                .block(TickJob.PATIENCE);
        assertThat(rows).containsExactlyInAnyOrderElementsOf(expectedFailures);
        Counters counts = TickJob.counts(run);
        assertThat(counts.get(Counter.INGESTED)).isEqualTo(PARTITIONS * EACH);
        assertThat(counts.get(Counter.FAILED) + counts.get(Counter.FAILED_TIMERS))
                .isEqualTo(expectedFailures.size());
        assertThat(counts.get(Counter.TIMERS) + counts.get(Counter.FAILED_TIMERS))
                .isEqualTo(timers);
        assertThat(counts.sumHolds()).isTrue();
        assertThat(RowCheck.of(job.store).block(TickJob.PATIENCE)).isEmpty();
        System.out.printf(
                "failing functions in a job: %d events, %d failures of events and timers, 5 cuts%n",
                PARTITIONS * EACH, rows.size());
    }

    /** How many of the events before {@code time} do not fail. */
    private static long countUpTo(long time) {
        return LongStream.range(0, time)
                .filter(each -> !Counting.failsOnEvent(each))
                .count();
    }

    @Test
    void aTableOfAnotherStoreIsRefused() {
        try (StateStore other = StateStore.open(directory.resolve("other")).block(TickJob.PATIENCE)) {
            job.append("k@26");
            job.before = events -> events.onFailure(FailurePolicy.deadLetterTo(FailureTable.of(other, "failures")))
                    .filter(JobFailuresTest::isEven);
            assertThatThrownBy(() -> job.run(
                                    job.table("counts"),
                                    CheckpointSpec.everyEvents(1).named("job").drainWhen(Mono.empty()))
                            .blockLast(TickJob.PATIENCE))
                    .hasMessageContaining("failure table failures belongs to another store");
        }
    }
}
