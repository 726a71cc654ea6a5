package io.fluxmark.sinks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fluxmark.sinks.TickJob.Tick;
import io.fluxmark.windows.Aggregations;
import io.fluxmark.windows.Checkpoint;
import io.fluxmark.windows.CheckpointSpec;
import io.fluxmark.windows.Counter;
import io.fluxmark.windows.EventFlux;
import io.fluxmark.windows.WatermarkSpec;
import io.fluxmark.windows.WindowResult;
import io.fluxmark.windows.WindowSpec;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.test.scheduler.VirtualTimeScheduler;

/** What {@code writeTo} promises of subscribing, cancelling, stopping, draining and finished jobs. */
class JobContractTest {

    private static final int PARTITIONS = 2;
    private static final CheckpointSpec HOURLY =
            CheckpointSpec.every(Duration.ofHours(1)).named("job");

    @TempDir
    Path directory;

    private TickJob ticks;
    private TableSink<String, Long> table;

    @BeforeEach
    void open() {
        ticks = TickJob.open(directory, PARTITIONS);
        table = ticks.table("counts");
    }

    @AfterEach
    void close() {
        ticks.close();
    }

    private static List<String> ticks(String key, int count) {
        return IntStream.range(0, count).mapToObj(i -> key + "@" + i).toList();
    }

    @Test
    void aPipelineWithoutPositionsIsRefusedAtAssemblyAndSoIsAJobWithoutAName() {
        EventFlux<WindowResult<String, Long>> counts = EventFlux.from(Flux.just(new Tick("k", 1)))
                .watermarksMillis(Tick::time, WatermarkSpec.ascending())
                .keyBy(Tick::key)
                .window(TickJob.TEN)
                .aggregate(Aggregations.counting());
        assertThatThrownBy(() -> counts.writeTo(table, HOURLY))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage(
                        "writeTo needs a pipeline that starts at a source with positions: start it at a log source");
        assertThatThrownBy(() -> ticks.run(table, CheckpointSpec.everyEvents(1)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("CheckpointSpec.named");
    }

    @Test
    void nothingHappensBeforeAJobIsSubscribedTo() {
        ticks.append("k@1", "k@2");
        long commit = ticks.store.info().block(TickJob.PATIENCE).commit();
        Flux<Checkpoint> job = ticks.run(table, HOURLY.drainWhen(Mono.empty()));
        assertThat(ticks.partition(0).readers()).isZero();
        assertThat(ticks.store.info().block(TickJob.PATIENCE).commit()).isEqualTo(commit);
        job.blockLast(TickJob.PATIENCE);
        assertThat(TickJob.rows(table)).isEqualTo(Map.of("k[0,10)", 2L));
    }

    @Test
    void aSecondSubscriptionGetsAnErrorAndTheFirstIsNotDisturbed() {
        Flux<Checkpoint> job = ticks.run(table, CheckpointSpec.everyEvents(1).named("job"));
        Disposable first = job.subscribe();
        assertThatThrownBy(() -> job.blockFirst(TickJob.PATIENCE))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("job is already running on this store");
        ticks.append("k@1");
        TickJob.until(
                "the first goes on", () -> ticks.status("job").lanes().get(0).nextOffset() == 1);
        first.dispose();
        ticks.append("k@2");
        assertThat(job.blockFirst(TickJob.PATIENCE)).isNotNull();
    }

    @Test
    void cancelEndsAJobWithoutAFurtherTransaction() {
        VirtualTimeScheduler clock = VirtualTimeScheduler.create();
        AtomicInteger seen = new AtomicInteger();
        ticks.before = events -> events.filter(tick -> seen.incrementAndGet() > 0);
        ticks.append(0, ticks("k", 10));
        Disposable running = ticks.run(table, HOURLY.scheduler(clock)).subscribe();
        TickJob.until("all is read", () -> seen.get() == 10);
        running.dispose();
        ticks.append(0, ticks("k", 10));
        clock.advanceTimeBy(Duration.ofDays(1));
        // Behind this fence whatever was handed over before is durable or refused.
        ticks.store.openLane("job", 0).block(TickJob.PATIENCE);
        assertThat(ticks.status("job").lanes()).allSatisfy(lane -> {
            assertThat(lane.transaction()).isZero();
            assertThat(lane.nextOffset()).isZero();
        });
        assertThat(ticks.partition(0).readers()).isZero();
        assertThat(seen).hasValue(10);
    }

    @Test
    void stopMakesALastBarrierDurableInEveryLaneFiresNothingAndTheNextRunGoesOn() {
        ticks.windows = WindowSpec.tumbling(Duration.ofDays(1));
        AtomicInteger seen = new AtomicInteger();
        Sinks.Empty<Void> stop = Sinks.empty();
        ticks.before = events -> events.filter(tick -> {
            if (seen.incrementAndGet() == 700) {
                stop.tryEmitEmpty();
            }
            return true;
        });
        for (int partition = 0; partition < PARTITIONS; partition++) {
            ticks.append(partition, ticks("k" + partition, 1_000));
        }
        List<Checkpoint> checkpoints =
                ticks.run(table, HOURLY.stopWhen(stop.asMono())).collectList().block(TickJob.PATIENCE);
        assertThat(checkpoints.stream().flatMap(c -> c.lanes().stream()))
                .extracting(lane -> lane.lane())
                .containsExactlyInAnyOrder(0, 1);
        JobStatus status = ticks.status("job");
        assertThat(status.finished()).isFalse();
        assertThat(status.lag()).isLessThan(2_000);
        assertThat(TickJob.counts(checkpoints).get(Counter.INGESTED)).isEqualTo(2_000 - status.lag());
        assertThat(TickJob.rows(table)).isEmpty();

        ticks.run(table, HOURLY.drainWhen(Mono.empty())).blockLast(TickJob.PATIENCE);
        assertThat(TickJob.rows(table)).isEqualTo(Map.of("k0[0,86400000)", 1_000L, "k1[0,86400000)", 1_000L));
    }

    @Test
    void aDrainedJobIsFinishedAndWithNewerRecordsItFailsNamingDrainAndANewJobName() {
        ticks.append("k@1");
        CheckpointSpec spec = HOURLY.drainWhen(Mono.empty());
        List<Checkpoint> run = ticks.run(table, spec).collectList().block(TickJob.PATIENCE);
        assertThat(run.get(run.size() - 1).lanes()).allMatch(lane -> lane.finished());
        assertThat(TickJob.rows(table)).isEqualTo(Map.of("k[0,10)", 1L));
        assertThat(ticks.run(table, spec).collectList().block(TickJob.PATIENCE)).isEmpty();
        assertThat(ticks.run(table, HOURLY).collectList().block(TickJob.PATIENCE))
                .as("whether or not it is to be drained again")
                .isEmpty();
        ticks.append("k@2");
        assertThatThrownBy(() -> ticks.run(table, spec).blockLast(TickJob.PATIENCE))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("job job was drained at offset 1 of partition 0")
                .hasMessageContaining("give the job a new name");
    }

    @Test
    void aLateConsumerIsCalledInOrderAndAgainWhereTheJobGoesBack() {
        List<Long> late = Collections.synchronizedList(new ArrayList<>());
        ticks.late = event -> late.add(event.value().time());
        AtomicInteger seen = new AtomicInteger();
        ticks.before = events -> events.filter(tick -> {
            if (seen.incrementAndGet() == 4) {
                throw new IllegalStateException("once");
            }
            return true;
        });
        // In runs of one event, so that what is late is told before the next one fails.
        ticks.append("k@50");
        ticks.append("k@3");
        ticks.append("k@5");
        ticks.append("k@60");
        List<Checkpoint> run = ticks.run(table, HOURLY.drainWhen(Mono.empty()))
                .retry(1)
                .collectList()
                .block(TickJob.PATIENCE);
        assertThat(late).endsWith(3L, 5L);
        assertThat(late.subList(0, late.size() - 2)).isSubsetOf(3L, 5L);
        assertThat(TickJob.counts(run).get(Counter.SIDE)).isEqualTo(2);
        assertThat(TickJob.counts(run).sumHolds()).isTrue();
    }
}
