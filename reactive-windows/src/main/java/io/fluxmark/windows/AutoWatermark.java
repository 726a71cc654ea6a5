package io.fluxmark.windows;

import java.util.Arrays;
import org.HdrHistogram.HistogramIterationValue;
import org.HdrHistogram.IntCountsHistogram;

/**
 * The watermark of one partition whose delay is found from its events; see {@link AutoDelay}. Confined to the lane.
 *
 * <p>Two histograms are kept of how late events are: of the span that is being filled, and of that with the one before it. When
 * the span is full it becomes the one before. So what is looked at is never fewer events than a span, nor more than two, once there
 * have been so many.
 */
final class AutoWatermark implements WatermarkGenerator {

    private static final int DIGITS = 2;

    /** A delay that is too long by less than one in so many stays. */
    private static final int TOO_LONG = 20;

    /** One step of time counts for no more than one in so many of what has to be seen before a delay is chosen. */
    private static final int STEPS = 10;

    /** What no other state begins with; its last digit counts layouts. */
    private static final long LAYOUT = 0x4155_544F_0000_0001L;

    private static final int HEAD = 9;
    private static final long COUNT = 0xFFFF_FFFFL;

    private final AutoDelay spec;

    /** How late the events of both spans were, and those of the one being filled: their delays in need, ms. */
    private IntCountsHistogram recent;

    private IntCountsHistogram filling;

    private long maximum = Long.MIN_VALUE;
    private long watermark = Watermark.NONE;

    /** How much of event time has been seen, ms: what is later than that can't have been. */
    private long seen;

    private long delay;
    private long proposed = -1;
    private long changes;
    private long events;
    private long behind;

    AutoWatermark(AutoDelay spec) {
        this.spec = spec;
        this.delay = spec.longestMillis();
        this.recent = histogram();
        this.filling = histogram();
    }

    private IntCountsHistogram histogram() {
        return new IntCountsHistogram(Math.max(2, spec.longestMillis()), DIGITS);
    }

    @Override
    public long onEvent(long timestamp) {
        boolean isFirst = events == 0;
        events++;
        behind += Watermark.isLate(watermark, timestamp) ? 1 : 0;
        long late = isFirst ? 0 : Math.max(0, maximum - timestamp);
        long needed = Math.min(late, spec.longestMillis());
        recent.recordValue(needed);
        filling.recordValue(needed);
        if (timestamp > maximum) {
            long step = Math.max(1, spec.longestMillis() / STEPS);
            seen += isFirst ? 0 : Math.min(timestamp - maximum, step);
            maximum = timestamp;
        }
        if (events % spec.every() == 0) {
            choose();
        }
        if (filling.getTotalCount() >= spec.events()) {
            recent = filling;
            filling = histogram();
        }
        watermark = Watermark.later(watermark, Watermark.after(maximum, delay));
        return watermark;
    }

    private void choose() {
        boolean isLearning = proposed < 0;
        if (isLearning && (seen < spec.longestMillis() || events < spec.firstEvents())) {
            return;
        }
        proposed = Math.min(spec.longestMillis(), recent.getValueAtPercentile(100 * spec.completeness()));
        boolean isTooLong = proposed < delay && delay - proposed >= delay / TOO_LONG;
        if (spec.follows() && (proposed > delay || isTooLong)) {
            delay = proposed;
            changes++;
        }
    }

    DelayChoice choice() {
        return new DelayChoice(delay, proposed, changes, events, behind, spec.completeness());
    }

    /** A head, then for each lateness that has been seen two longs: itself, and how often in {@link #recent} and in {@link #filling}. */
    @Override
    public long[] state() {
        long[] head = {LAYOUT, maximum, watermark, seen, delay, proposed, changes, events, behind};
        long[] state = Arrays.copyOf(head, HEAD + 2 * counts());
        int at = HEAD;
        for (HistogramIterationValue value : recent.recordedValues()) {
            long lateness = value.getValueIteratedTo();
            state[at++] = lateness;
            state[at++] = value.getCountAtValueIteratedTo() << Integer.SIZE | filling.getCountAtValue(lateness);
        }
        return state;
    }

    private int counts() {
        int counts = 0;
        for (HistogramIterationValue ignored : recent.recordedValues()) {
            counts++;
        }
        return counts;
    }

    @Override
    public void restore(long[] state) {
        if (state.length < HEAD || state[0] != LAYOUT) {
            throw new IllegalStateException(
                    "the stored state of a watermark is not that of a delay found from events: give the"
                            + " job a new name, or the watermarks that it had");
        }
        maximum = state[1];
        watermark = state[2];
        seen = state[3];
        delay = Math.min(state[4], spec.longestMillis());
        proposed = state[5];
        changes = state[6];
        events = state[7];
        behind = state[8];
        recent = histogram();
        filling = histogram();
        for (int at = HEAD; at < state.length; at += 2) {
            long lateness = Math.min(state[at], spec.longestMillis());
            recent.recordValueWithCount(lateness, state[at + 1] >>> Integer.SIZE);
            long inFilling = state[at + 1] & COUNT;
            if (inFilling > 0) {
                filling.recordValueWithCount(lateness, inFilling);
            }
        }
    }
}
