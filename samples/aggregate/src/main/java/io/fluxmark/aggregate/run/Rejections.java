package io.fluxmark.aggregate.run;

import io.fluxmark.aggregate.DataException;
import java.io.PrintWriter;
import java.util.Locale;

/** Reports rejected lines: the first ones each, of the others only how many they are. */
public final class Rejections {

    private static final int SHOWN = 20;

    private final PrintWriter err;
    private final boolean failFast;
    private long count;

    /** Reports to {@code err}; {@code failFast} ends the run at the first one. */
    public Rejections(PrintWriter err, boolean failFast) {
        this.err = err;
        this.failFast = failFast;
    }

    /** A line was rejected. */
    public void report(long line, String reason) {
        if (failFast) {
            throw new DataException(
                    "line " + line + " is rejected: " + reason + " (without --fail-fast the run goes on)");
        }
        count++;
        if (count <= SHOWN) {
            err.println("fluxmark: line " + line + " is rejected: " + reason);
            err.flush();
        }
    }

    /** Says how many there were, where not each was shown. */
    public void finish() {
        if (count > SHOWN) {
            err.printf(Locale.ROOT, "fluxmark: %,d more lines are rejected, %,d in all%n", count - SHOWN, count);
            err.flush();
        }
    }
}
