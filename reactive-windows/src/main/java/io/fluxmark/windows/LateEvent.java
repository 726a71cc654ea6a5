package io.fluxmark.windows;

/**
 * An event that came after its window's allowed lateness.
 *
 * @param value the event
 * @param timestamp its event time, epoch ms
 * @param watermark the watermark that it was behind
 * @param window the window that it missed
 */
public record LateEvent<T>(T value, long timestamp, long watermark, TimeWindow window) {

    /** How far behind the watermark the event was, ms, never negative. */
    public long lateBy() {
        return Watermark.lateBy(watermark, timestamp);
    }
}
