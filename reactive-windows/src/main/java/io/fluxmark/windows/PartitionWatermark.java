package io.fluxmark.windows;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The watermark of one partition, by the bound on disorder (S04) or by a generator of one's own; it never steps back
 * (S24).
 */
final class PartitionWatermark {

    private static final int HEAD = 2;

    private final long delay;
    private final @Nullable WatermarkGenerator generator;
    private long maximum = Long.MIN_VALUE;
    private long watermark = Watermark.NONE;

    PartitionWatermark(WatermarkSpec spec) {
        this.delay = spec.delayMillis();
        this.generator = spec.newGenerator();
    }

    /** Takes an event; false when the generator stepped back, which is ignored. */
    boolean onEvent(long timestamp) {
        boolean isLargest = timestamp > maximum;
        if (isLargest) {
            maximum = timestamp;
        }
        if (generator != null) {
            return advance(generated(generator, timestamp));
        }
        return !isLargest || advance(Watermark.after(timestamp, delay));
    }

    private static long generated(WatermarkGenerator generator, long timestamp) {
        try {
            return generator.onEvent(timestamp);
        } catch (Throwable t) {
            FailedEvent.addTo(t, "at " + timestamp + " ms");
            throw t;
        }
    }

    private boolean advance(long next) {
        if (Watermark.advances(watermark, next)) {
            watermark = next;
            return true;
        }
        return next == watermark;
    }

    /** The largest timestamp, epoch ms; {@link Long#MIN_VALUE} before the first event. */
    long maximum() {
        return maximum;
    }

    /** What has been chosen, where the delay is found from the events; else null. */
    @Nullable
    DelayChoice delay() {
        return generator instanceof AutoWatermark auto ? auto.choice() : null;
    }

    /** The watermark, epoch ms. */
    long watermark() {
        return watermark;
    }

    /** Everything, for {@link #restore}. */
    long[] state() {
        long[] ofGenerator = generator == null ? new long[0] : generator.state();
        long[] state = Arrays.copyOf(new long[] {maximum, watermark}, HEAD + ofGenerator.length);
        System.arraycopy(ofGenerator, 0, state, HEAD, ofGenerator.length);
        return state;
    }

    void restore(long[] state) {
        maximum = state[0];
        watermark = state[1];
        if (generator != null && state.length > HEAD) {
            generator.restore(Arrays.copyOfRange(state, HEAD, state.length));
        }
    }

    /** Goes on from the largest timestamp alone: enough where there is a bound and no generator. */
    void restoreMaximum(long largest) {
        maximum = largest;
        watermark = generator == null ? Watermark.after(largest, delay) : Watermark.NONE;
    }
}
