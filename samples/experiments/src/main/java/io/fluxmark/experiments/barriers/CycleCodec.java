package io.fluxmark.experiments.barriers;

import io.fluxmark.benchmarks.Event;
import io.fluxmark.log.AppendRecord;
import io.fluxmark.log.EventCodec;
import io.fluxmark.log.LogRecord;
import io.fluxmark.log.RecordView;
import java.util.concurrent.TimeUnit;
import reactor.core.scheduler.Scheduler;

/**
 * Makes the event of a {@link Change} of a record's offset, so that one log serves all of them, and notes when it did for every 16th.
 * Each takes about a microsecond, as a function of a user's might: a lane that did nothing else would be back at its next barrier before
 * its commit is over. Used by one lane at a time.
 */
final class CycleCodec implements EventCodec<Event> {

    /** Between two notes. */
    static final int STEP = 16;

    private static final int WORK = 600;
    private static final long TIMESTAMP = 1_700_000_000_000L;

    private final Change change;
    private final Scheduler clock;
    private final long first;
    private final long[] nanos;

    /**
     * For the records from one offset to another.
     *
     * @param to exclusive; what is read beyond is not noted
     */
    CycleCodec(Change change, long from, long to, Scheduler clock) {
        this.change = change;
        this.clock = clock;
        this.first = from / STEP;
        this.nanos = new long[(int) (to / STEP - first) + 1];
    }

    @Override
    public Event decode(LogRecord record) {
        return decodeView(RecordView.of(record));
    }

    @Override
    public Event decodeView(RecordView view) {
        long offset = view.offset();
        if (offset % STEP == 0 && offset / STEP - first < nanos.length) {
            nanos[(int) (offset / STEP - first)] = clock.now(TimeUnit.NANOSECONDS);
        }
        long work = offset;
        for (int i = 0; i < WORK; i++) {
            work = work * 6_364_136_223_846_793_005L + 1;
        }
        return new Event(change.key(offset), work >>> 48, TIMESTAMP);
    }

    /** All records are the same: what they stand for depends on their place. */
    @Override
    public AppendRecord encode(Event event) {
        return AppendRecord.to(0, new byte[1]);
    }

    /** When the lane was at the last note before an offset. */
    long before(long offset) {
        return nanos[(int) ((offset - 1) / STEP - first)];
    }

    /** When it was at the first one at or behind it. */
    long from(long offset) {
        return nanos[(int) ((offset + STEP - 1) / STEP - first)];
    }

    /** The offset of the first note at or behind a moment, within a range of offsets. */
    long at(long moment, long from, long to) {
        long offset = (from + STEP - 1) / STEP * STEP;
        while (offset + STEP < to && nanos[(int) (offset / STEP - first)] < moment) {
            offset += STEP;
        }
        return offset;
    }
}
