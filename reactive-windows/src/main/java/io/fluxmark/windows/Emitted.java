package io.fluxmark.windows;

/**
 * An emission that its receiver still holds, kept where the accumulator does not tell it: what a retraction takes back.
 *
 * @param start of the window that it was emitted for, epoch ms
 * @param end of that window, exclusive
 * @param timestamp of the result, epoch ms
 * @param revision of the result
 * @param late of the result
 * @param value the value; its class is the aggregation's result
 */
record Emitted(long start, long end, long timestamp, int revision, long late, Object value) {

    /** The same value with more late events in it, which have left it as it was. */
    Emitted withLate(long events) {
        return new Emitted(start, end, timestamp, revision, events, value);
    }

    /** Whether this is the value of {@code window}, in its bounds of now. */
    boolean shows(LiveWindow<?> window, Object current) {
        return start == window.start && end == window.end && value.equals(current);
    }
}
