package io.fluxmark.aggregate.check;

import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;

/**
 * Whether a run's output equals the batch result over what it accepted.
 *
 * @param windows how many windows and keys the batch result has
 * @param accepted how many events were accepted
 * @param late how many came too late for all of their windows
 * @param differences how many things are not equal
 * @param first the first of them
 */
public record Verdict(long windows, long accepted, long late, long differences, List<String> first) {

    /** Whether all is equal. */
    public boolean isEqual() {
        return differences == 0;
    }

    /** Prints it. */
    public void print(PrintWriter err) {
        String counts =
                String.format(Locale.ROOT, "%,d windows, %,d events accepted, %,d too late", windows, accepted, late);
        if (isEqual()) {
            err.println("batch check: equal (" + counts + ")");
        } else {
            err.printf(Locale.ROOT, "batch check: DIFFERENT in %,d places (%s)%n", differences, counts);
            first.forEach(difference -> err.println("  " + difference));
        }
        err.flush();
    }
}
