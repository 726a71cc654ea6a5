package io.fluxmark.test;

import io.fluxmark.windows.WatermarkSpec;
import io.fluxmark.windows.WatermarkSpec.FarFuture;
import io.fluxmark.windows.WindowSpec;
import java.util.concurrent.TimeUnit;

/**
 * Which timestamps count, and where the watermark is, as one plain loop finds out: the watermark before an event is the
 * largest timestamp so far, less the bound, less one (S04).
 */
final class PlainWatermark {

    private final WatermarkSpec watermarks;
    private final long latest;

    private long maximum = Long.MIN_VALUE;

    PlainWatermark(WindowedPipeline<?, ?, ?, ?> pipeline) {
        this.watermarks = pipeline.watermarks();
        long now = pipeline.clock().now(TimeUnit.MILLISECONDS);
        this.latest =
                now > Long.MAX_VALUE - watermarks.maxAheadMillis() ? Long.MAX_VALUE : now + watermarks.maxAheadMillis();
    }

    /** The watermark after the events followed so far; {@link Long#MIN_VALUE} without one. */
    long now() {
        return maximum == Long.MIN_VALUE ? Long.MIN_VALUE : maximum - watermarks.delayMillis() - 1;
    }

    private boolean isAhead(long timestamp) {
        return timestamp > latest && watermarks.farFuture() != FarFuture.TRUST;
    }

    /** Whether an event at {@code timestamp} is rejected (S36). */
    boolean rejects(long timestamp) {
        return timestamp < -WindowSpec.MAX_MILLIS
                || timestamp > WindowSpec.MAX_MILLIS
                || (isAhead(timestamp) && watermarks.farFuture() == FarFuture.REJECT);
    }

    /** Moves on with an event that is not rejected. */
    void follow(long timestamp) {
        if (!isAhead(timestamp) && timestamp > maximum) {
            maximum = timestamp;
        }
    }
}
