package io.fluxmark.aggregate.run;

import io.fluxmark.aggregate.value.TimeUnitText;
import java.io.PrintWriter;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Says once where times look as if they were written in another unit than the one they are read in (S37): when all of the
 * first ones, read in that unit, would lie in our days.
 */
public final class UnitWarning {

    private static final int SAMPLE = 100;

    /** 1980 to 2100, in seconds. */
    private static final long FIRST_SECOND = 315_532_800;

    private static final long LAST_SECOND = 4_102_444_800L;

    private final PrintWriter err;
    private final TimeUnitText unit;
    private int seen;
    private @Nullable TimeUnitText suspected;
    private long example;

    /** For times that are read in {@code unit}. */
    public UnitWarning(PrintWriter err, TimeUnitText unit) {
        this.err = err;
        this.unit = unit;
    }

    /** A time as it was read, epoch ms. */
    public void see(long millis) {
        if (seen == SAMPLE || unit == TimeUnitText.ISO) {
            return;
        }
        TimeUnitText likely = likelyUnit(millis);
        if (likely == null || (seen > 0 && likely != suspected)) {
            seen = SAMPLE;
            return;
        }
        suspected = likely;
        example = millis;
        if (++seen == SAMPLE) {
            warn(likely);
        }
    }

    private @Nullable TimeUnitText likelyUnit(long millis) {
        boolean seconds = unit == TimeUnitText.MS && millis >= FIRST_SECOND && millis <= LAST_SECOND;
        boolean tooLarge = unit == TimeUnitText.MS && isOurs(millis / 1_000_000);
        boolean tooLargeSeconds = unit == TimeUnitText.S && isOurs(millis / 1_000_000);
        if (seconds) {
            return TimeUnitText.S;
        }
        if (tooLarge) {
            return TimeUnitText.US;
        }
        return tooLargeSeconds ? TimeUnitText.MS : null;
    }

    private static boolean isOurs(long seconds) {
        return seconds >= FIRST_SECOND && seconds <= LAST_SECOND;
    }

    private void warn(TimeUnitText likely) {
        err.println("fluxmark: warning: the times look like " + likely + " but are read as " + unit + " ("
                + Instant.ofEpochMilli(example) + "): if so, use --time-unit " + likely);
        err.flush();
    }

    /** The input has ended: few times are judged, too. */
    public void finish() {
        if (seen > 0 && seen < SAMPLE && suspected != null) {
            warn(suspected);
        }
        seen = SAMPLE;
    }
}
