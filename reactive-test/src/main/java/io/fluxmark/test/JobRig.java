package io.fluxmark.test;

import io.fluxmark.log.AppendRecord;
import io.fluxmark.log.AppendResult;
import io.fluxmark.log.EventLog;
import io.fluxmark.log.LogSpec;
import io.fluxmark.log.Topic;
import io.fluxmark.state.StateStore;
import io.fluxmark.state.StoreSpec;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** An opened log and store with the topics of a case. Used by one thread. */
final class JobRig implements AutoCloseable {

    static final Duration PATIENCE = Duration.ofSeconds(60);
    static final String PRODUCER = "producer-under-test";

    /** Where the watermark of a result stands in its row: behind version, kind, revision, window and late count. */
    private static final int WATERMARK_END = 2 + Integer.BYTES + 4 * Long.BYTES;

    private static final byte ROW_VERSION = 1;

    private final JobCase job;
    private final EventLog log;
    private final StateStore store;
    private final Topic topic;

    private JobRig(JobCase job, EventLog log, StateStore store) {
        this.job = job;
        this.log = log;
        this.store = store;
        this.topic = done(log.createTopic(job.topic(), job.partitions()));
        job.outputs().forEach((name, partitions) -> done(log.createTopic(name, partitions)));
    }

    /** Over a simulated disk, or over real files where there is none. */
    static JobRig open(JobCase job, Path directory, @Nullable SimulatedDisk disk) {
        LogSpec logSpec = disk == null ? job.log() : job.log().storage(disk);
        StoreSpec storeSpec = disk == null ? job.store() : job.store().storage(disk);
        EventLog log = done(EventLog.open(logOf(directory), logSpec));
        try {
            StateStore store = done(StateStore.open(storeOf(directory), storeSpec));
            try {
                return new JobRig(job, log, store);
            } catch (RuntimeException e) {
                store.close();
                throw e;
            }
        } catch (RuntimeException e) {
            log.close();
            throw e;
        }
    }

    static Path logOf(Path directory) {
        return directory.resolve("log");
    }

    static Path storeOf(Path directory) {
        return directory.resolve("state");
    }

    EventLog log() {
        return log;
    }

    StateStore store() {
        return store;
    }

    Topic topic() {
        return topic;
    }

    /** Starts the job, to be drained when told. */
    RunningJob start() {
        return start(offsets -> {});
    }

    /** @param onCommit is given the offsets that are acknowledged with each checkpoint */
    RunningJob start(Consumer<long[]> onCommit) {
        return RunningJob.start(
                drain -> job.job().run(log, store, job.checkpoints().drainWhen(drain)), job.partitions(), onCommit);
    }

    /** Appends what the log does not have, and runs the job to its end. */
    void finish() {
        try (RunningJob running = start()) {
            append(job.numbered());
            running.drain();
            running.awaitEnd();
        }
    }

    /** What of a row is compared. */
    byte[] compared(byte[] row) {
        if (job.comparesWatermarks() || row.length < WATERMARK_END || row[0] != ROW_VERSION) {
            return row;
        }
        byte[] copy = row.clone();
        Arrays.fill(copy, WATERMARK_END - Long.BYTES, WATERMARK_END, (byte) 0);
        return copy;
    }

    int partitionOf(AppendRecord record) {
        return record.partition() == AppendRecord.BY_KEY
                ? topic.partitionFor(Objects.requireNonNull(record.key()))
                : record.partition();
    }

    /** Appends in order, a few at a time, beginning with the first few that the log does not have as a whole. */
    void append(List<AppendRecord> numbered) {
        append(numbered, acknowledged -> {});
    }

    /** @param onAppend is told how many of the records are acknowledged, whenever more are */
    void append(List<AppendRecord> numbered, IntConsumer onAppend) {
        for (int from = 0; from < numbered.size(); from += job.recordsPerAppend()) {
            List<AppendRecord> some = numbered.subList(from, Math.min(numbered.size(), from + job.recordsPerAppend()));
            if (!some.stream().allMatch(this::isAppended)) {
                appendAgain(some);
            }
            onAppend.accept(from + some.size());
        }
    }

    /** Appends whatever the log has. */
    List<AppendResult> appendAgain(List<AppendRecord> numbered) {
        return done(topic.append(numbered.stream().map(job::sent).toList()));
    }

    private boolean isAppended(AppendRecord record) {
        long sequence = Objects.requireNonNull(record.sequence()).sequence();
        return topic.partition(partitionOf(record)).highestSequence(PRODUCER).orElse(-1) >= sequence;
    }

    static <V> V done(Mono<V> mono) {
        return Objects.requireNonNull(
                mono.timeout(PATIENCE)
                        .onErrorMap(
                                TimeoutException.class, e -> new AssertionError("nothing came within " + PATIENCE, e))
                        .block(),
                "nothing came");
    }

    @Override
    public void close() {
        store.close();
        log.close();
    }
}
