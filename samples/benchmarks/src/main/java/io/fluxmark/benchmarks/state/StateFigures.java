package io.fluxmark.benchmarks.state;

import java.util.Locale;
import java.util.Scanner;

/**
 * What a run has shown.
 *
 * @param fill updates a second while the state came to be
 * @param uniform updates a second with keys chosen uniformly
 * @param hotSet updates a second with most keys out of the hot set
 * @param restartSeconds from the end of one session to the first result of the next
 * @param equal whether the state held every update once
 */
record StateFigures(double fill, double uniform, double hotSet, double restartSeconds, boolean equal) {

    private static final String BEGINNING = "figures:";

    /** One line that {@link #parse} reads. */
    String line() {
        return String.format(
                Locale.ROOT, "%s %.3f %.3f %.3f %.3f %b", BEGINNING, fill, uniform, hotSet, restartSeconds, equal);
    }

    static boolean isLine(String line) {
        return line.startsWith(BEGINNING);
    }

    static StateFigures parse(String line) {
        Scanner in = new Scanner(line.substring(BEGINNING.length())).useLocale(Locale.ROOT);
        return new StateFigures(in.nextDouble(), in.nextDouble(), in.nextDouble(), in.nextDouble(), in.nextBoolean());
    }
}
