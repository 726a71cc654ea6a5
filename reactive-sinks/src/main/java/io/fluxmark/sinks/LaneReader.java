package io.fluxmark.sinks;

import io.fluxmark.log.LogRecord;
import io.fluxmark.log.RecordRun;
import io.fluxmark.windows.EventBatch;
import io.fluxmark.windows.SourcePosition;
import io.fluxmark.windows.StreamElement;
import java.util.List;
import org.jspecify.annotations.Nullable;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;

/** The head of a lane over one partition: turns the runs of the partition into elements. */
final class LaneReader extends LaneHead<RecordRun, LogRecord> {

    /** Two runs ahead: reading goes on while one is worked on. */
    private static final int PREFETCH = 2;

    private static final long NOT_DRAINED = Long.MAX_VALUE;

    private @Nullable RecordRun run;
    private int next;
    private long nextOffset;

    /** Set from outside, looked at in the drain loop. */
    private volatile long drainEnd = NOT_DRAINED;

    private LaneReader(CoreSubscriber<? super StreamElement<LogRecord>> actual, JobLane lane, int runSize) {
        super(actual, lane, PREFETCH, runSize);
        this.nextOffset = lane.start().nextOffset(0);
    }

    static Flux<StreamElement<LogRecord>> open(JobLane lane, int runSize) {
        Flux<RecordRun> runs = lane.partition()
                .readRuns(
                        lane.start().nextOffset(0),
                        EventBatch.MAX_SIZE,
                        lane.job().spec().scheduler());
        return new LaneFlux<>(runs, actual -> {
            LaneReader reader = new LaneReader(actual, lane, runSize);
            reader.listen();
            return reader;
        });
    }

    @Override
    void endHere() {
        drainEnd = lane().partition().endOffset();
    }

    @Override
    void passTo(int index, long offset) {
        nextOffset = offset;
        lane().readTo(0, offset);
    }

    @Override
    boolean isAtEnd() {
        return nextOffset >= drainEnd;
    }

    @Override
    protected void onInput(RecordRun input) {
        if (!isEnding()) {
            run = input;
            next = 0;
        }
    }

    @Override
    @Nullable
    EventBatch<LogRecord> read(long room) {
        RecordRun records = run;
        return records == null ? null : batch(records, Math.min(room, drainEnd - nextOffset));
    }

    private EventBatch<LogRecord> batch(RecordRun records, long limit) {
        int size = (int) Math.min(records.size() - next, limit);
        if (countsBytes()) {
            size = upToBytes(records, size);
        }
        RecordRun part = records.subList(next, next + size);
        EventBatch<LogRecord> batch = EventBatch.<LogRecord>ofRun(part)
                .withOffsetsAt(lane().job().topic().name(), lane().number(), part::offset);
        next += size;
        // Not every offset has a record.
        nextOffset = records.offset(next - 1) + 1;
        lane().readTo(0, nextOffset);
        if (next == records.size()) {
            run = null;
        }
        return batch;
    }

    /** How many records there are up to the one with which the bytes are reached. */
    private int upToBytes(RecordRun records, int most) {
        for (int i = 0; i < most; i++) {
            if (reachesBytes(records.contentBytes(next + i))) {
                return i + 1;
            }
        }
        return most;
    }

    @Override
    List<SourcePosition> positions() {
        return List.of(new SourcePosition(lane().job().topic().name(), lane().number(), nextOffset));
    }

    @Override
    boolean hasRun() {
        return run != null;
    }

    @Override
    void dropRead() {
        run = null;
    }
}
