package io.fluxmark.quickstart.plain;

import java.util.Comparator;

/**
 * One airport in one window; ordered by airport, then time.
 *
 * @param airport the origin
 * @param startMillis start of the window, epoch ms
 */
public record Cell(String airport, long startMillis) implements Comparable<Cell> {

    private static final Comparator<Cell> ORDER =
            Comparator.comparing(Cell::airport).thenComparingLong(Cell::startMillis);

    @Override
    public int compareTo(Cell other) {
        return ORDER.compare(this, other);
    }
}
