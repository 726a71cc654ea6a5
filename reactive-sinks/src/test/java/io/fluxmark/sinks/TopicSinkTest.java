package io.fluxmark.sinks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fluxmark.log.AppendRecord;
import io.fluxmark.log.Durability;
import io.fluxmark.log.EventLog;
import io.fluxmark.log.Header;
import io.fluxmark.log.LogRecord;
import io.fluxmark.log.LogSpec;
import io.fluxmark.log.Partition;
import io.fluxmark.log.Topic;
import io.fluxmark.log.TypedTopic;
import io.fluxmark.state.StateStore;
import io.fluxmark.state.StoreTable;
import io.fluxmark.windows.Checkpoint;
import io.fluxmark.windows.CheckpointSpec;
import io.fluxmark.windows.Codec;
import io.fluxmark.windows.KeyCodec;
import io.fluxmark.windows.PlainBatch;
import io.fluxmark.windows.WindowResult;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** Results as records of another topic. */
class TopicSinkTest {

    private static final int TARGETS = 3;
    private static final Codec<WindowResult<String, Long>> RESULTS =
            TransactionalSink.resultCodec(KeyCodec.tagged(), Codec.longs());

    @TempDir
    Path directory;

    private EventLog log;
    private EventLog targetLog;
    private StateStore store;
    private TypedTopic<Ticks.Tick> topic;
    private Topic target;

    /** Runs the target log's writing; a test may hold it. */
    private final ExecutorService writer = Executors.newSingleThreadExecutor();

    private final HeldExecutor held = new HeldExecutor(writer);

    @BeforeEach
    void open() {
        log = EventLog.open(directory.resolve("log")).block(Ticks.PATIENCE);
        topic = Ticks.topic(log);
        openTarget(LogSpec.defaults());
        store = StateStore.open(directory.resolve("state")).block(Ticks.PATIENCE);
    }

    private void openTarget(LogSpec spec) {
        targetLog = EventLog.open(directory.resolve("target"), spec.writerExecutor(held))
                .block(Ticks.PATIENCE);
        target = targetLog.createTopic("counts", TARGETS).block(Ticks.PATIENCE);
    }

    @AfterEach
    void close() {
        held.release();
        store.close();
        targetLog.close();
        log.close();
        writer.shutdown();
    }

    /** Passes tasks on, or keeps them until it is released. */
    private static final class HeldExecutor implements Executor {

        private final Executor executor;
        private final List<Runnable> waiting = new ArrayList<>();
        private boolean holding;

        HeldExecutor(Executor executor) {
            this.executor = executor;
        }

        synchronized void hold() {
            holding = true;
        }

        synchronized void release() {
            holding = false;
            waiting.forEach(executor::execute);
            waiting.clear();
        }

        @Override
        public synchronized void execute(Runnable task) {
            if (holding) {
                waiting.add(task);
            } else {
                executor.execute(task);
            }
        }
    }

    private TopicSink<WindowResult<String, Long>> sink() {
        return TransactionalSink.topic(store, "out", target);
    }

    private Flux<Checkpoint> job(TransactionalSink<WindowResult<String, Long>> sink, CheckpointSpec spec) {
        return Ticks.counts(topic).writeTo(sink, spec.named("job"));
    }

    private List<LogRecord> records() {
        List<LogRecord> all = new ArrayList<>();
        for (Partition partition : target.partitions()) {
            all.addAll(partition
                    .readTo(partition.beginOffset(), partition.endOffset())
                    .collectList()
                    .block(Ticks.PATIENCE));
        }
        return all;
    }

    private static List<WindowResult<String, Long>> results(List<LogRecord> records) {
        return records.stream().map(r -> RESULTS.decode(r.requireValue())).toList();
    }

    private long outboxRows() {
        return sink().unsent().block(Ticks.PATIENCE);
    }

    @Test
    void aDrainedJobHasPutEachResultIntoTheTopicOnceAndKeepsNoneBack() {
        List<Ticks.Tick> ticks = Ticks.random(10_000, 1);
        Ticks.append(topic, ticks);
        ChangelogSink<String, Long> changes = TransactionalSink.changelog(store, "changes");
        job(changes.and(sink()), CheckpointSpec.everyEvents(200).drainWhen(Mono.empty()))
                .blockLast(Ticks.PATIENCE);

        List<LogRecord> records = records();
        List<WindowResult<String, Long>> results = results(records);
        assertThat(results)
                .containsExactlyInAnyOrderElementsOf(
                        changes.changes().collectList().block(Ticks.PATIENCE));
        assertThat(PlainBatch.fold(results))
                .isEqualTo(Ticks.batch(topic, ticks))
                .isNotEmpty();
        assertThat(outboxRows()).as("rows left in the outbox").isZero();
        for (LogRecord record : records) {
            String key = RESULTS.decode(record.requireValue()).key();
            assertThat(record.key()).isEqualTo(key.getBytes(StandardCharsets.UTF_8));
            assertThat(record.partition()).isEqualTo(target.partitionFor(record.key()));
        }
        // A finished job that runs again adds nothing.
        job(changes.and(sink()), CheckpointSpec.everyEvents(200).drainWhen(Mono.empty()))
                .blockLast(Ticks.PATIENCE);
        assertThat(records()).isEqualTo(records);
    }

    @Test
    void resultsOfOneKeyComeInTheOrderOfTheirRevisions() {
        Ticks.append(topic, Ticks.random(20_000, 2));
        job(sink(), CheckpointSpec.everyEvents(100).drainWhen(Mono.empty())).blockLast(Ticks.PATIENCE);
        Map<Object, Integer> newest = new HashMap<>();
        int corrections = 0;
        for (WindowResult<String, Long> result : results(records())) {
            int before = newest.getOrDefault(List.of(result.key(), result.window()), -1);
            if (result.isRetraction()) {
                corrections++;
                assertThat(result.revision()).isEqualTo(before);
            } else {
                assertThat(result.revision()).isEqualTo(before + 1);
            }
            newest.put(List.of(result.key(), result.window()), result.revision());
        }
        assertThat(corrections).isPositive();
    }

    @Test
    void aJobThatIsCancelledAgainAndAgainRepeatsNothingAndSkipsNothing() {
        List<Ticks.Tick> ticks = Ticks.random(20_000, 3);
        Ticks.append(topic, ticks);
        for (int i = 0; i < 6; i++) {
            job(sink(), CheckpointSpec.everyEvents(150)).take(3).blockLast(Ticks.PATIENCE);
        }
        job(sink(), CheckpointSpec.everyEvents(150).drainWhen(Mono.empty())).blockLast(Ticks.PATIENCE);
        List<WindowResult<String, Long>> results = results(records());
        assertThat(results).doesNotHaveDuplicates();
        assertThat(PlainBatch.fold(results)).isEqualTo(Ticks.batch(topic, ticks));
    }

    @Test
    void aStoppedJobCompletesWhenWhatItHasCommittedHasArrived() {
        Ticks.append(topic, Ticks.random(10_000, 4));
        ChangelogSink<String, Long> changes = TransactionalSink.changelog(store, "changes");
        Sinks.Empty<Void> stop = Sinks.empty();
        job(changes.and(sink()), CheckpointSpec.everyEvents(300).stopWhen(stop.asMono()))
                .doOnNext(checkpoint -> stop.tryEmitEmpty())
                .blockLast(Ticks.PATIENCE);
        assertThat(results(records()))
                .containsExactlyInAnyOrderElementsOf(
                        changes.changes().collectList().block(Ticks.PATIENCE))
                .isNotEmpty();
        assertThat(outboxRows()).isZero();
    }

    @Test
    void aTargetThatDoesNotAnswerSlowsTheJobDownWithinItsBoundAndLosesNothing() throws InterruptedException {
        List<Ticks.Tick> ticks = Ticks.random(30_000, 5);
        Ticks.append(topic, ticks);
        held.hold();
        DeliverySpec bounds = DeliverySpec.defaults().unsent(100).batch(20);
        BlockingQueue<Checkpoint> checkpoints = new ArrayBlockingQueue<>(100_000);
        Sinks.Empty<Void> drain = Sinks.empty();
        Disposable running = job(
                        sink().delivery(bounds), CheckpointSpec.everyEvents(100).drainWhen(drain.asMono()))
                .subscribe(checkpoints::add);
        try {
            // No lane can go further when no checkpoint comes any more; that is waited for, not assumed.
            long rows = -1;
            while (checkpoints.poll(300, TimeUnit.MILLISECONDS) != null || rows != outboxRows()) {
                rows = outboxRows();
            }
            long most = 0;
            for (int lane = 0; lane < Ticks.PARTITIONS; lane++) {
                long in = store.read(
                                StoreTable.OUTBOX,
                                RowNames.numbered("out", lane, 0),
                                RowNames.numbered("out", lane, Long.MAX_VALUE))
                        .count()
                        .block(Ticks.PATIENCE);
                most = Math.max(most, in);
            }
            assertThat(most).isGreaterThanOrEqualTo(100).isLessThan(100 + 600);
            System.out.printf("held target: %d rows of a lane wait at most, bound 100 and one barrier%n", most);
            assertThat(records()).isEmpty();
            held.release();
            drain.tryEmitEmpty();
        } finally {
            held.release();
        }
        awaitEnd(running);
        assertThat(PlainBatch.fold(results(records()))).isEqualTo(Ticks.batch(topic, ticks));
    }

    private static void awaitEnd(Disposable running) {
        long deadline = System.nanoTime() + Ticks.PATIENCE.toNanos();
        while (!running.isDisposed()) {
            assertThat(System.nanoTime()).as("the job ends in time").isLessThan(deadline);
            Thread.onSpinWait();
        }
    }

    @Test
    void anOverloadedLogIsAskedAgain() {
        targetLog.close();
        openTarget(LogSpec.defaults().appendWait(Duration.ZERO).queueRecords(20));
        List<Ticks.Tick> ticks = Ticks.random(20_000, 6);
        Ticks.append(topic, ticks);
        job(
                        sink().delivery(DeliverySpec.defaults()
                                .batch(20)
                                .attempts(1_000, Duration.ofMillis(1), Duration.ofMillis(5))),
                        CheckpointSpec.everyEvents(100).drainWhen(Mono.empty()))
                .blockLast(Ticks.PATIENCE);
        assertThat(PlainBatch.fold(results(records()))).isEqualTo(Ticks.batch(topic, ticks));
    }

    @Test
    void whereATopicHasForgottenItsProducersTheRowsInDoubtAreLookedFor() {
        List<Ticks.Tick> ticks = Ticks.random(20_000, 10);
        Ticks.append(topic, ticks);
        LogSpec forgetful = LogSpec.defaults().producersPerPartition(1);
        for (int i = 0; i < 8; i++) {
            targetLog.close();
            openTarget(forgetful);
            job(sink().delivery(DeliverySpec.defaults().batch(37)), CheckpointSpec.everyEvents(150))
                    .take(4)
                    .blockLast(Ticks.PATIENCE);
        }
        targetLog.close();
        openTarget(forgetful);
        job(sink(), CheckpointSpec.everyEvents(150).drainWhen(Mono.empty())).blockLast(Ticks.PATIENCE);
        List<WindowResult<String, Long>> results = results(records());
        assertThat(results).doesNotHaveDuplicates();
        assertThat(PlainBatch.fold(results)).isEqualTo(Ticks.batch(topic, ticks));
        assertThat(target.partitions()).anyMatch(partition -> partition.forgottenProducers() > 0);
    }

    @Test
    void noRowLeavesTheStoreBeforeTheLogHasForcedIt() {
        targetLog.close();
        openTarget(LogSpec.defaults().durability(Durability.OS));
        Ticks.append(topic, Ticks.random(10_000, 11));
        job(sink(), CheckpointSpec.everyEvents(200).drainWhen(Mono.empty())).blockLast(Ticks.PATIENCE);
        assertThat(target.partitions()).allSatisfy(partition -> assertThat(partition.durableEndOffset())
                .isEqualTo(partition.endOffset())
                .isPositive());
    }

    @Test
    void anEncoderOfOnesOwnChoosesKeyPartitionAndHeaders() {
        Ticks.append(topic, Ticks.random(5_000, 7));
        TopicSink<WindowResult<String, Long>> own =
                TransactionalSink.topic(store, "own", target, result -> AppendRecord.to(
                                (int) Math.floorMod(result.window().start() / 100, (long) TARGETS),
                                result.key().getBytes(StandardCharsets.UTF_8),
                                result.isRetraction() ? null : Codec.longs().encode(result.value()))
                        .withHeaders(List.of(new Header(
                                "start", Codec.longs().encode(result.window().start())))));
        job(own, CheckpointSpec.everyEvents(500).drainWhen(Mono.empty())).blockLast(Ticks.PATIENCE);
        assertThat(records()).isNotEmpty().allSatisfy(record -> {
            long start = Codec.longs().decode(record.headers().get(0).value());
            assertThat(record.partition()).isEqualTo((int) Math.floorMod(start / 100, (long) TARGETS));
            assertThat(record.headers().get(0).name()).isEqualTo("start");
        });
    }

    @Test
    void aRecordThatTheTopicWouldNeverTakeFailsTheJobBeforeItIsCommitted() {
        Ticks.append(topic, Ticks.random(5_000, 8));
        TopicSink<WindowResult<String, Long>> large =
                TransactionalSink.topic(store, "large", target, result -> AppendRecord.to(0, new byte[2 << 20]));
        assertThatThrownBy(() -> job(large, CheckpointSpec.everyEvents(500).drainWhen(Mono.empty()))
                        .blockLast(Ticks.PATIENCE))
                .hasMessageContaining("bytes");
        assertThat(large.unsent().block(Ticks.PATIENCE)).isZero();
        TopicSink<WindowResult<String, Long>> numbered =
                TransactionalSink.topic(store, "large", target, result -> AppendRecord.to(0, new byte[1])
                        .withSequence("me", 1));
        assertThatThrownBy(() -> job(numbered, CheckpointSpec.everyEvents(500).drainWhen(Mono.empty()))
                        .blockLast(Ticks.PATIENCE))
                .hasMessageContaining("sequences are the sink's to give");
    }

    @Test
    void aJobDoesNotWriteIntoTheTopicThatItReads() {
        TopicSink<WindowResult<String, Long>> loop = TransactionalSink.topic(store, "out", topic.topic());
        assertThatThrownBy(() -> job(loop, CheckpointSpec.everyEvents(100)))
                .hasMessageContaining("the job reads topic ticks");
    }

    @Test
    void aJobWhoseStoreWasLostRepeatsTheSameRowsHarmlesslyAndOtherOnesNotSilently() {
        List<Ticks.Tick> ticks = Ticks.random(5_000, 9);
        Ticks.append(topic, ticks);
        job(sink(), CheckpointSpec.everyEvents(500).drainWhen(Mono.empty())).blockLast(Ticks.PATIENCE);
        List<LogRecord> before = records();
        store.close();
        store = StateStore.open(directory.resolve("empty")).block(Ticks.PATIENCE);
        job(sink(), CheckpointSpec.everyEvents(77).drainWhen(Mono.empty())).blockLast(Ticks.PATIENCE);
        assertThat(records()).isEqualTo(before);

        store.close();
        store = StateStore.open(directory.resolve("third")).block(Ticks.PATIENCE);
        TopicSink<WindowResult<String, Long>> elsewhere = TransactionalSink.topic(
                store, "out", target, result -> AppendRecord.of(new byte[1], RESULTS.encode(result)));
        assertThatThrownBy(() -> job(elsewhere, CheckpointSpec.everyEvents(500).drainWhen(Mono.empty()))
                        .blockLast(Ticks.PATIENCE))
                .hasMessageContaining("made again differently; run the job under a new name");
        store.close();
        store = StateStore.open(directory.resolve("fourth")).block(Ticks.PATIENCE);
        TopicSink<WindowResult<String, Long>> changed = TransactionalSink.topic(
                store,
                "out",
                target,
                result -> AppendRecord.of(result.key().getBytes(StandardCharsets.UTF_8), new byte[] {1}));
        assertThatThrownBy(() -> job(changed, CheckpointSpec.everyEvents(500).drainWhen(Mono.empty()))
                        .blockLast(Ticks.PATIENCE))
                .hasMessageContaining("with other bytes than it has now");
        // Rows that go where none of theirs had gone are new, and may be there before the first of the others is met.
        assertThat(records()).containsAll(before);
    }
}
