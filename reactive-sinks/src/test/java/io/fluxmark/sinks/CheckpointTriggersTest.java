package io.fluxmark.sinks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fluxmark.log.AppendRecord;
import io.fluxmark.log.EventLog;
import io.fluxmark.log.LogRecord;
import io.fluxmark.log.Topic;
import io.fluxmark.log.TypedTopic;
import io.fluxmark.state.StateStore;
import io.fluxmark.state.StoreDurability;
import io.fluxmark.state.StoreSpec;
import io.fluxmark.windows.Aggregations;
import io.fluxmark.windows.Checkpoint;
import io.fluxmark.windows.CheckpointSpec;
import io.fluxmark.windows.Codec;
import io.fluxmark.windows.KeyCodec;
import io.fluxmark.windows.LaneCheckpoint;
import io.fluxmark.windows.WatermarkSpec;
import io.fluxmark.windows.WindowResult;
import io.fluxmark.windows.WindowSpec;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongConsumer;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.util.retry.Retry;

/** What makes a job commit, what it does meanwhile, and when it gives a commit up. */
class CheckpointTriggersTest {

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration NEVER = Duration.ofHours(1);
    private static final int EACH = 10;

    @TempDir
    Path directory;

    private final HeldThread storeThread = new HeldThread();

    /** Where the key function passes by. */
    private volatile LongConsumer onEvent = time -> {};

    /** Where each result passes by, behind the firing. */
    private volatile Runnable onResult = () -> {};

    private EventLog log;
    private StateStore store;
    private Topic topic;
    private TableSink<String, Long> table;

    @BeforeEach
    void open() {
        log = EventLog.open(directory.resolve("log")).block(PATIENCE);
        topic = log.createTopic("t", 1).block(PATIENCE);
        // Lanes go on where they are told of their commits, and some of these tests block there.
        store = StateStore.open(
                        directory.resolve("state"),
                        StoreSpec.defaults().executor(storeThread).scheduler(Schedulers.boundedElastic()))
                .block(PATIENCE);
        table = TransactionalSink.table(store, "counts", KeyCodec.tagged(), Codec.longs());
    }

    @AfterEach
    void close() {
        storeThread.release(); // closing waits for it
        store.close();
        storeThread.close();
        log.close();
    }

    /** Records of ten bytes each: one of key, nine of value, which is the time of the event. */
    private void append(long from, long to) {
        topic.append(LongStream.range(from, to)
                        .mapToObj(i -> AppendRecord.of(bytes("k"), bytes(String.format("%09d", i))))
                        .toList())
                .block(PATIENCE);
    }

    private static long time(LogRecord record) {
        return Long.parseLong(new String(record.requireValue(), StandardCharsets.UTF_8));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private Flux<Checkpoint> job(CheckpointSpec spec) {
        return LogSource.of(new TypedTopic<>(topic, CheckpointTriggersTest::time))
                .watermarksMillis(time -> time, WatermarkSpec.boundedOutOfOrderness(Duration.ZERO))
                .keyByRecordKey(time -> {
                    onEvent.accept(time);
                    return "k";
                })
                .window(WindowSpec.tumbling(Duration.ofMillis(100)))
                .aggregate(Aggregations.<Long>counting())
                .map(result -> {
                    onResult.run();
                    return result;
                })
                .writeTo((TransactionalSink<WindowResult<String, Long>>) table, spec.named("job"));
    }

    private void assertEachCountedOnce(int records) {
        assertThat(table.rows().map(row -> row.value()).collectList().block(PATIENCE))
                .hasSize(records / 100)
                .containsOnly(100L);
    }

    private static List<Long> offsets(List<Checkpoint> checkpoints) {
        return checkpoints.stream()
                .flatMap(checkpoint -> checkpoint.lanes().stream())
                .map(lane -> lane.positions().get(0).nextOffset())
                .toList();
    }

    private long committed() {
        return JobStatus.read(store, "job", topic)
                .block(PATIENCE)
                .lanes()
                .get(0)
                .nextOffset();
    }

    @Test
    void aBarrierStandsBehindTheRecordWithWhichTheBytesAreReached() {
        append(0, 50);
        append(50, 100);
        List<Checkpoint> checkpoints = job(CheckpointSpec.everyBytes(95)
                        .orEvery(NEVER)
                        .drainWhen(Mono.empty()))
                .collectList()
                .block(PATIENCE);
        assertThat(offsets(checkpoints)).containsExactly(10L, 20L, 30L, 40L, 50L, 60L, 70L, 80L, 90L, 100L);
    }

    @Test
    void whicheverOfEventsAndBytesComesFirst() {
        append(0, 30);
        CheckpointSpec spec = CheckpointSpec.everyEvents(7).orEvery(NEVER).drainWhen(Mono.empty());
        assertThat(offsets(job(spec.orEveryBytes(100)).collectList().block(PATIENCE)))
                .containsExactly(7L, 14L, 21L, 28L, 30L);
    }

    @Test
    void recordsLargerThanTheBytesAreCommittedOneByOne() {
        append(0, 3);
        assertThat(offsets(job(CheckpointSpec.everyBytes(1).drainWhen(Mono.empty()))
                        .collectList()
                        .block(PATIENCE)))
                .containsExactly(1L, 2L, 3L);
    }

    @Test
    void aCheckpointOnDemandComesAlsoWithoutInputAndOneForEachDemand() {
        Sinks.Many<String> demand = Sinks.many().replay().limit(1);
        demand.tryEmitNext("the first");
        CheckpointSpec spec =
                CheckpointSpec.everyEvents(1_000_000).orEvery(NEVER).orWhen(demand.asFlux());
        List<Long> transactions = job(spec)
                .concatMapIterable(Checkpoint::lanes)
                .map(LaneCheckpoint::transaction)
                .doOnNext(transaction -> demand.tryEmitNext("another"))
                .take(5)
                .collectList()
                .block(PATIENCE);
        assertThat(transactions).containsExactly(1L, 2L, 3L, 4L, 5L);
    }

    @Test
    void whatWasReadBeforeTheDemandIsInItsCheckpoint() {
        append(0, 42);
        Sinks.Many<Long> demand = Sinks.many().replay().limit(1);
        onEvent = time -> {
            if (time == 41) {
                demand.tryEmitNext(time);
            }
        };
        CheckpointSpec spec =
                CheckpointSpec.everyEvents(1_000_000).orEvery(NEVER).orWhen(demand.asFlux());
        assertThat(offsets(List.of(job(spec).blockFirst(PATIENCE)))).containsExactly(42L);
    }

    @Test
    void anErrorOfTheDemandFailsTheJobAndItsEndDoesNot() {
        append(0, 100);
        CheckpointSpec spec = CheckpointSpec.everyEvents(EACH);
        assertThatThrownBy(() -> job(spec.orWhen(Flux.error(new IllegalStateException("no more demands"))))
                        .blockLast(PATIENCE))
                .hasMessageContaining("no more demands");
        job(spec.orWhen(Flux.empty()).drainWhen(Mono.empty())).blockLast(PATIENCE);
        assertEachCountedOnce(100);
    }

    @Test
    void aLaneThatStopsTheWorldReadsNothingBetweenABarrierAndItsCommit() {
        append(0, 500);
        List<Long> behind = Collections.synchronizedList(new ArrayList<>());
        onEvent = time -> {
            long durable = committed();
            if (durable < time / EACH * EACH) {
                behind.add(time);
            }
        };
        Scheduler lanes = Schedulers.newBoundedElastic(2, 100, "lanes");
        try {
            List<Checkpoint> checkpoints = job(CheckpointSpec.everyEvents(EACH)
                            .orEvery(NEVER)
                            .stopTheWorld()
                            .scheduler(lanes)
                            .drainWhen(Mono.empty()))
                    .collectList()
                    .block(PATIENCE);
            assertThat(behind)
                    .as("events that came before the commit of the barrier before them")
                    .isEmpty();
            assertThat(offsets(checkpoints)).hasSize(500 / EACH);
            assertEachCountedOnce(500);
        } finally {
            lanes.dispose();
        }
    }

    @Test
    void otherwiseALaneGoesOnWhileItsCommitIsUnderWay() {
        append(0, 500);
        AtomicInteger stage = new AtomicInteger();
        onEvent = time -> {
            if (time == 0 && stage.compareAndSet(0, 1)) {
                storeThread.hold();
            } else if (time == 2 * EACH - 1 && stage.compareAndSet(1, 2)) {
                storeThread.release();
            }
        };
        job(CheckpointSpec.everyEvents(EACH).orEvery(NEVER).drainWhen(Mono.empty()))
                .blockLast(PATIENCE);
        assertThat(stage).hasValue(2);
        assertEachCountedOnce(500);
    }

    @Test
    void aLaneWhoseCommitTakesLongerThanTheIntervalGoesOnToo() {
        int events = 5_000;
        append(0, events);
        HandTimer timer = new HandTimer(Schedulers.boundedElastic());
        AtomicInteger stage = new AtomicInteger();
        onEvent = time -> {
            if (time == 0 && stage.compareAndSet(0, 1)) {
                storeThread.hold();
            } else if (time == events - 1 && stage.compareAndSet(1, 2)) {
                storeThread.release();
            }
            if (time % EACH == 0) {
                timer.fire();
            }
        };
        List<Checkpoint> checkpoints = job(CheckpointSpec.every(NEVER)
                        .scheduler(timer)
                        .drainWhen(Mono.empty()))
                .collectList()
                .block(PATIENCE);
        assertThat(checkpoints).as("one barrier at a time").hasSizeBetween(2, 3);
        assertEachCountedOnce(events);
    }

    @Test
    void c52ACommitThatIsLateFailsTheJobAndARetryGoesOnBehindWhatIsDurable() {
        append(0, 500);
        List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
        AtomicBoolean first = new AtomicBoolean(true);
        onEvent = time -> {
            if (time == 250 && first.compareAndSet(true, false)) {
                storeThread.hold();
            }
        };
        job(CheckpointSpec.everyEvents(EACH)
                        .orEvery(NEVER)
                        .timeout(Duration.ofMillis(50))
                        .tolerateTimeouts(1)
                        .drainWhen(Mono.empty()))
                .retryWhen(Retry.max(5)
                        .filter(CheckpointTimeoutException.class::isInstance)
                        .doBeforeRetry(signal -> {
                            failures.add(signal.failure());
                            if (failures.size() == 1) {
                                storeThread.release();
                            }
                        }))
                .blockLast(PATIENCE);
        assertThat(failures.get(0)).hasMessageContaining("lane 0 of job job").hasMessageContaining("2 x PT0.05S");
        assertEachCountedOnce(500);
    }

    @Test
    void aSinkThatSendsAfterTheCommitRefusesAStoreThatMayLoseIt() {
        append(0, 100);
        Topic target = log.createTopic("results", 1).block(PATIENCE);
        store.close();
        store = StateStore.open(directory.resolve("state"), StoreSpec.defaults().durability(StoreDurability.OS))
                .block(PATIENCE);
        Flux<Checkpoint> job = LogSource.of(new TypedTopic<>(topic, CheckpointTriggersTest::time))
                .watermarksMillis(time -> time, WatermarkSpec.boundedOutOfOrderness(Duration.ZERO))
                .keyByRecordKey(time -> "k")
                .window(WindowSpec.tumbling(Duration.ofMillis(100)))
                .aggregate(Aggregations.<Long>counting())
                .writeTo(
                        TransactionalSink.topic(store, "sent", target),
                        CheckpointSpec.everyEvents(EACH).named("job"));
        assertThatThrownBy(() -> job.blockLast(PATIENCE))
                .hasMessageContaining("sent")
                .hasMessageContaining("StoreDurability.SYNC");
    }

    @Test
    void theJobTellsWhatItsCheckpointsCostAndWhatThatAdvises() {
        append(0, 500);
        CheckpointCosts costs = CheckpointCosts.of(store, "job");
        assertThat(costs.checkpoints()).isZero();
        long began = System.nanoTime();
        job(CheckpointSpec.everyEvents(EACH).orEvery(NEVER).drainWhen(Mono.empty()))
                .blockLast(PATIENCE);
        Duration elapsed = Duration.ofNanos(System.nanoTime() - began);
        assertThat(costs.checkpoints()).isEqualTo(500 / EACH);
        assertThat(costs.perCheckpoint()).isPositive().isLessThan(elapsed);
        assertThat(costs.restart()).isLessThanOrEqualTo(elapsed);
        CheckpointAdvice advice = costs.advice(Duration.ofHours(1));
        assertThat(advice.interval()).isGreaterThan(costs.perCheckpoint());
    }

    @Test
    void noTimeRunsWhileABarrierWaitsBehindAFiring() {
        append(0, 500);
        DelayCounting clock = new DelayCounting(Schedulers.parallel());
        AtomicInteger results = new AtomicInteger();
        List<Integer> running = Collections.synchronizedList(new ArrayList<>());
        onResult = () -> {
            if (results.incrementAndGet() == 5) {
                // The window that only the end of the stream fires; the barrier stands behind it.
                running.add(clock.delays.get());
            }
        };
        job(CheckpointSpec.everyEvents(1_000_000)
                        .orEvery(NEVER)
                        .timeout(Duration.ofMinutes(1))
                        .scheduler(clock)
                        .drainWhen(Mono.empty()))
                .blockLast(PATIENCE);
        assertThat(running).containsExactly(0);
        assertThat(clock.delays)
                .as("time-outs that were set once the barrier had come")
                .hasValue(1);
    }

    /** Counts what is scheduled once for later. */
    private static final class DelayCounting implements Scheduler {

        private final Scheduler actual;
        private final AtomicInteger delays = new AtomicInteger();

        DelayCounting(Scheduler actual) {
            this.actual = actual;
        }

        @Override
        public long now(TimeUnit unit) {
            return actual.now(unit);
        }

        @Override
        public Disposable schedule(Runnable task) {
            return actual.schedule(task);
        }

        @Override
        public Disposable schedule(Runnable task, long delay, TimeUnit unit) {
            delays.incrementAndGet();
            return actual.schedule(task, delay, unit);
        }

        @Override
        public Disposable schedulePeriodically(Runnable task, long initialDelay, long period, TimeUnit unit) {
            return actual.schedulePeriodically(task, initialDelay, period, unit);
        }

        @Override
        public Worker createWorker() {
            return actual.createWorker();
        }
    }
}
