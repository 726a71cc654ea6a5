package io.fluxmark.quickstart.plain;

import java.util.ArrayList;
import java.util.List;

/** Hand-made flights: rows count up by themselves, times are plain numbers. */
final class FlightScript {

    private final List<Flight> flights = new ArrayList<>();

    /** A flight that arrives at its event time. */
    FlightScript flight(String origin, long eventMillis) {
        return flight(origin, eventMillis, eventMillis, 0);
    }

    FlightScript flight(String origin, long eventMillis, long arrivalMillis, int delayMinutes) {
        flights.add(new Flight(flights.size() + 1L, arrivalMillis, eventMillis, delayMinutes, 1, origin, "ZZZ"));
        return this;
    }

    List<Flight> flights() {
        return List.copyOf(flights);
    }
}
