package io.fluxmark.quickstart;

import io.fluxmark.quickstart.plain.Flight;
import io.fluxmark.quickstart.plain.PlainPartitions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLongArray;

/** Looks on while a job reads event times, to tell how far its slowest lane has come. Thread-safe. */
final class EventClock {

    private final Map<String, Integer> partitions = new HashMap<>();
    private final AtomicLongArray highest;

    EventClock(List<Flight> flights, PlainPartitions partitions) {
        for (Flight flight : flights) {
            this.partitions.computeIfAbsent(flight.origin(), partitions::of);
        }
        this.highest = new AtomicLongArray(partitions.count());
        for (int p = 0; p < partitions.count(); p++) {
            highest.set(p, Long.MIN_VALUE);
        }
    }

    /** The flight's event time, epoch ms. */
    long read(Flight flight) {
        Integer partition = partitions.get(flight.origin());
        if (partition != null && flight.eventMillis() > highest.get(partition)) {
            highest.set(partition, flight.eventMillis());
        }
        return flight.eventMillis();
    }

    /** The highest event time of the partition that is least far, epoch ms; {@link Long#MIN_VALUE} at first. */
    long slowest() {
        long slowest = Long.MAX_VALUE;
        for (int p = 0; p < highest.length(); p++) {
            slowest = Math.min(slowest, highest.get(p));
        }
        return slowest;
    }
}
