package io.fluxmark.quickstart.plain;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.ToLongFunction;

/** Departures and average delay per airport and window: one loop over a list. */
public final class PlainCount {

    private PlainCount() {}

    /**
     * Counts what {@code counted} lets through.
     *
     * @param clock the time that places a flight, epoch ms
     * @param sizeMillis length of a window
     */
    public static Map<Cell, Tally> count(
            List<Flight> flights, ToLongFunction<Flight> clock, long sizeMillis, Predicate<Flight> counted) {
        Map<Cell, Tally> cells = new HashMap<>();
        for (Flight flight : flights) {
            if (counted.test(flight)) {
                long time = clock.applyAsLong(flight);
                Cell cell = new Cell(flight.origin(), time - Math.floorMod(time, sizeMillis));
                cells.computeIfAbsent(cell, c -> new Tally()).add(flight.delayMinutes());
            }
        }
        return cells;
    }

    /** Counts every flight. */
    public static Map<Cell, Tally> count(List<Flight> flights, ToLongFunction<Flight> clock, long sizeMillis) {
        return count(flights, clock, sizeMillis, flight -> true);
    }
}
