package io.fluxmark.test;

import io.fluxmark.windows.TimeWindow;
import io.fluxmark.windows.WatermarkSpec;
import io.fluxmark.windows.WatermarkSpec.FarFuture;
import io.fluxmark.windows.WindowSpec;
import java.util.concurrent.TimeUnit;

/**
 * The rules of time as one plain loop applies them, written out here once more so that they share nothing with the
 * operators: the watermark before an event is the largest timestamp so far, less the bound, less one (S04); a window is
 * closed from {@code end - 1} on (S03), and an event for it is late from {@code end - 1 + lateness} on (S13).
 */
final class Judgement {

    private final WindowSpec windows;
    private final WatermarkSpec watermarks;
    private final long latest;

    private long maximum = Long.MIN_VALUE;

    Judgement(WindowedPipeline<?, ?, ?, ?> pipeline) {
        this.windows = pipeline.windows();
        this.watermarks = pipeline.watermarks();
        long now = pipeline.clock().now(TimeUnit.MILLISECONDS);
        this.latest =
                now > Long.MAX_VALUE - watermarks.maxAheadMillis() ? Long.MAX_VALUE : now + watermarks.maxAheadMillis();
    }

    /** The watermark after the events judged so far; {@link Long#MIN_VALUE} without one. */
    long watermark() {
        return maximum == Long.MIN_VALUE ? Long.MIN_VALUE : maximum - watermarks.delayMillis() - 1;
    }

    TimeWindow windowOf(long timestamp) {
        long size = windows.sizeMillis();
        long start = windows.offsetMillis() + Math.floorDiv(timestamp - windows.offsetMillis(), size) * size;
        return new TimeWindow(start, start + size);
    }

    boolean isClosed(TimeWindow window, long watermark) {
        return watermark >= window.end() - 1;
    }

    /** Judges the next event and moves the watermark. */
    Outcomes.Outcome judge(long timestamp) {
        boolean ahead = timestamp > latest && watermarks.farFuture() != FarFuture.TRUST;
        if (timestamp < -WindowSpec.MAX_MILLIS
                || timestamp > WindowSpec.MAX_MILLIS
                || (ahead && watermarks.farFuture() == FarFuture.REJECT)) {
            return Outcomes.Outcome.REJECTED;
        }
        TimeWindow window = windowOf(timestamp);
        long watermark = watermark();
        if (!ahead && timestamp > maximum) {
            maximum = timestamp;
        }
        if (!isClosed(window, watermark)) {
            return Outcomes.Outcome.ON_TIME;
        }
        return watermark >= window.end() - 1 + windows.allowedLatenessMillis()
                ? Outcomes.Outcome.LATE
                : Outcomes.Outcome.REFIRED;
    }
}
