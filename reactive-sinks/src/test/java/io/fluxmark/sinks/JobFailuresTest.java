package io.fluxmark.sinks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fluxmark.sinks.TickJob.Tick;
import io.fluxmark.state.StateStore;
import io.fluxmark.windows.Checkpoint;
import io.fluxmark.windows.CheckpointSpec;
import io.fluxmark.windows.Counter;
import io.fluxmark.windows.Counters;
import io.fluxmark.windows.FailurePolicy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
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
