package io.fluxmark.windows;

/**
 * One emission of one window for one key.
 *
 * <p>{@code (key, window, revision, kind)} names an emission for good: a crash and a replay give it the same name and
 * value, so a receiver outside may store it idempotently.
 *
 * @param key the key
 * @param window the window
 * @param value the value; of a {@link Kind#RETRACT} exactly the value that was emitted before
 * @param kind why it was emitted
 * @param revision 0 for the first value of the window and key, then rising by one; a retraction has the revision of the
 *     value it takes back
 * @param late how many of the events in the value came after the window had fired
 * @param watermark the watermark at the emission
 * @param byTimeout whether the window closed because its input was silent, and not because later events came (S30)
 */
public record WindowResult<K, V>(
        K key, TimeWindow window, V value, Kind kind, int revision, long late, long watermark, boolean byTimeout) {

    /** A result that does not follow from silence. */
    public WindowResult(K key, TimeWindow window, V value, Kind kind, int revision, long late, long watermark) {
        this(key, window, value, kind, revision, late, watermark, false);
    }

    /** Why a result was emitted. */
    public enum Kind {
        /** The window is still open: what is in it so far (S40). */
        EARLY,
        /** The watermark has passed the window's end. */
        ON_TIME,
        /** A late event has changed the window; follows the retraction of the old value, if there was one. */
        LATE,
        /** Takes an earlier result back (S15). */
        RETRACT
    }

    /** Whether this takes an earlier result back. */
    public boolean isRetraction() {
        return kind == Kind.RETRACT;
    }
}
