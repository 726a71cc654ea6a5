package io.fluxmark.test;

import io.fluxmark.windows.Counter;
import io.fluxmark.windows.Counters;
import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** What plain loops count, under the names of the library's counters (S52). Immutable. */
final class Tally {

    static final Tally NONE = new Tally(new EnumMap<>(Counter.class));

    private final Map<Counter, Long> counts;

    private Tally(Map<Counter, Long> counts) {
        this.counts = counts;
    }

    static Tally of(Counters counters) {
        Tally tally = NONE;
        for (Counter counter : Counter.values()) {
            tally = tally.plus(counter, counters.get(counter));
        }
        return tally;
    }

    Tally plus(Counter counter, long more) {
        if (more == 0) {
            return this;
        }
        EnumMap<Counter, Long> changed = new EnumMap<>(Counter.class);
        changed.putAll(counts);
        changed.merge(counter, more, Long::sum);
        return new Tally(changed);
    }

    Tally plus(Tally other) {
        Tally sum = this;
        for (Map.Entry<Counter, Long> each : other.counts.entrySet()) {
            sum = sum.plus(each.getKey(), each.getValue());
        }
        return sum;
    }

    long get(Counter counter) {
        return counts.getOrDefault(counter, 0L);
    }

    /** Past the allowed lateness, whatever became of them. */
    long late() {
        return get(Counter.DROPPED) + get(Counter.SIDE);
    }

    /** Whether every event has one outcome (S12). */
    boolean sumHolds() {
        return get(Counter.INGESTED)
                == get(Counter.ON_TIME)
                        + get(Counter.REFIRED)
                        + late()
                        + get(Counter.REJECTED)
                        + get(Counter.UNASSIGNED)
                        + get(Counter.DUPLICATES)
                        + get(Counter.FAILED);
    }

    /** Whether what became of the events is the same; what was emitted is not looked at. */
    boolean hasOutcomesOf(Tally other) {
        return outcomes().equals(other.outcomes());
    }

    /** The counters, of those given, that differ, in words; empty where none does. */
    String differences(Tally got, Set<Counter> compared) {
        return compared.stream()
                .filter(counter -> get(counter) != got.get(counter))
                .map(counter -> counter + ": expected " + get(counter) + ", got " + got.get(counter))
                .collect(Collectors.joining("; "));
    }

    /** What became of the events, in words. */
    String outcomes() {
        long unassigned = get(Counter.UNASSIGNED);
        return get(Counter.INGESTED) + " events = " + get(Counter.ON_TIME) + " on time + " + get(Counter.REFIRED)
                + " re-fired + " + late() + " late + " + get(Counter.REJECTED) + " rejected"
                + (unassigned == 0 ? "" : " + " + unassigned + " unassigned");
    }

    @Override
    public String toString() {
        return counts.toString();
    }
}
