package io.fluxmark.windows;

import java.util.List;

/**
 * An event that came after the allowed lateness of all its windows.
 *
 * @param value the event
 * @param timestamp its event time, epoch ms
 * @param watermark the watermark that it was behind
 * @param windows the windows that it missed, the earliest first; of a session, the span that it would have begun
 */
public record LateEvent<T>(T value, long timestamp, long watermark, List<TimeWindow> windows) {

    /** Copies the list. */
    public LateEvent {
        windows = List.copyOf(windows);
    }

    /** How far behind the watermark the event was, ms, never negative. */
    public long lateBy() {
        return Watermark.lateBy(watermark, timestamp);
    }
}
