package io.fluxmark.log;

import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Whether a topic keeps only the last record of each key, as a table does, and when what others hide is removed. Immutable: each
 * method returns a changed copy.
 *
 * <p>Offsets never change: where records are removed, there is none of that offset. A record without a value, a tombstone, says
 * that its key is gone; it is removed too once every reader has had time to see it. The segment being written is left alone, and
 * what a {@link RetentionFloor} still needs. To a topic that is compacted a record without a key cannot be appended. A {@link
 * Retention} applies besides.
 */
public final class Compaction {

    private static final double DEFAULT_DIRTY_RATIO = 0.5;
    private static final Duration DEFAULT_HORIZON = Duration.ofDays(1);
    private static final int PERCENT = 100;

    private static final Compaction NONE = new Compaction(false, 0, Duration.ZERO, Duration.ZERO);

    private final boolean byKey;
    private final int dirtyPercent;
    private final Duration minLag;
    private final Duration deleteHorizon;

    private Compaction(boolean byKey, int dirtyPercent, Duration minLag, Duration deleteHorizon) {
        this.byKey = byKey;
        this.dirtyPercent = dirtyPercent;
        this.minLag = minLag;
        this.deleteHorizon = deleteHorizon;
    }

    /** Every record is kept. */
    public static Compaction none() {
        return NONE;
    }

    /** The last record of each key is kept: compacted when half of the bytes are new, at any age; tombstones are kept for a day. */
    public static Compaction byKey() {
        return new Compaction(true, (int) (DEFAULT_DIRTY_RATIO * PERCENT), Duration.ZERO, DEFAULT_HORIZON);
    }

    /**
     * How much of what can be compacted has to be new before it is done: less means fewer hidden records and more writing.
     *
     * @param value 0 to 1 of the bytes, in whole percents; 0.5 unless said otherwise
     * @throws IllegalStateException of {@link #none()}
     */
    public Compaction minDirtyRatio(double value) {
        requireByKey();
        if (!(value >= 0 && value <= 1)) {
            throw new IllegalArgumentException("minDirtyRatio must be between 0 and 1 but was " + value);
        }
        return new Compaction(true, (int) Math.round(value * PERCENT), minLag, deleteHorizon);
    }

    /**
     * How long every record stays before it may be removed, since it was appended, by the log's clock.
     *
     * @param value 0, the default, to 36,500 days, in whole milliseconds
     * @throws IllegalStateException of {@link #none()}
     */
    public Compaction minLag(Duration value) {
        requireByKey();
        return new Compaction(true, dirtyPercent, within("minLag", value), deleteHorizon);
    }

    /**
     * How long a tombstone stays after it was compacted for the first time, by the log's clock. A reader that needs longer from the
     * begin to where it was then may have read the record and miss that it is gone.
     *
     * @param value 0 to 36,500 days, in whole milliseconds; one day unless said otherwise
     * @throws IllegalStateException of {@link #none()}
     */
    public Compaction deleteHorizon(Duration value) {
        requireByKey();
        return new Compaction(true, dirtyPercent, minLag, within("deleteHorizon", value));
    }

    /** Whether only the last record of each key is kept. */
    public boolean isByKey() {
        return byKey;
    }

    /** The share of new bytes from which on it is done, 0 to 1. */
    public double minDirtyRatio() {
        return dirtyPercent / (double) PERCENT;
    }

    /** How long every record stays. */
    public Duration minLag() {
        return minLag;
    }

    /** How long a tombstone stays after it was compacted for the first time. */
    public Duration deleteHorizon() {
        return deleteHorizon;
    }

    int dirtyPercent() {
        return dirtyPercent;
    }

    private void requireByKey() {
        if (!byKey) {
            throw new IllegalStateException(
                    "without compaction there is nothing to set; begin with Compaction.byKey()");
        }
    }

    private static Duration within(String name, Duration value) {
        return Duration.ofMillis(
                Limits.within(name, value, Duration.ZERO, Limits.LONGEST).toMillis());
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Compaction that
                && byKey == that.byKey
                && dirtyPercent == that.dirtyPercent
                && minLag.equals(that.minLag)
                && deleteHorizon.equals(that.deleteHorizon);
    }

    @Override
    public int hashCode() {
        return Objects.hash(byKey, dirtyPercent, minLag, deleteHorizon);
    }

    @Override
    public String toString() {
        return byKey
                ? "Compaction[byKey, minDirtyRatio=" + minDirtyRatio() + ", minLag=" + minLag + ", deleteHorizon="
                        + deleteHorizon + "]"
                : "Compaction[none]";
    }
}
