package io.fluxmark.aggregate.check;

import io.fluxmark.aggregate.run.Event;
import io.fluxmark.aggregate.value.Value;
import io.fluxmark.windows.TimeWindow;
import io.fluxmark.windows.WindowResult;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Windows that follow from the events of a key: sessions, and every so many events. */
final class NumberedWindows {

    private NumberedWindows() {}

    /** Sorted by time and split where two are a gap or more apart (S16, S17). */
    static Map<Slot, List<Event>> sessions(Object key, List<Event> events, long gap) {
        List<Event> sorted = new ArrayList<>(events);
        sorted.sort(Comparator.comparingLong(Event::timestamp));
        Map<Slot, List<Event>> sessions = new HashMap<>();
        int from = 0;
        for (int i = 1; i <= sorted.size(); i++) {
            if (i == sorted.size()
                    || sorted.get(i).timestamp() - sorted.get(i - 1).timestamp() >= gap) {
                long start = sorted.get(from).timestamp();
                long end = sorted.get(i - 1).timestamp() + gap;
                sessions.put(new Slot(key, new TimeWindow(start, end)), sorted.subList(from, i));
                from = i;
            }
        }
        return sessions;
    }

    /** Every {@code size} events in the order of the input. */
    static Map<Slot, List<Event>> counted(Object key, List<Event> events, long size) {
        Map<Slot, List<Event>> windows = new HashMap<>();
        int from = 0;
        for (long number = 0; from < events.size(); number++) {
            int end = (int) Math.min(events.size(), from + size);
            windows.put(number(key, number), events.subList(from, end));
            from = end;
        }
        return windows;
    }

    private static Slot number(Object key, long number) {
        return new Slot(key, new TimeWindow(number, number));
    }

    /**
     * Which window of its key an emission is of, where the bounds do not tell, since they are those of the events: the one
     * at hand, until that has had its on-time result, or stands with a value that nothing takes back.
     */
    static final class Places {

        private final Map<Object, Long> current = new HashMap<>();

        Slot of(WindowResult<Object, Value> result, Fold fold) {
            Slot slot = number(result.key(), current.getOrDefault(result.key(), 0L));
            if (!result.isRetraction() && fold.isSettled(slot)) {
                slot = number(
                        result.key(), current.merge(result.key(), slot.window().start() + 1, Long::max));
            }
            if (result.kind() == WindowResult.Kind.ON_TIME) {
                current.put(result.key(), slot.window().start() + 1);
            }
            return slot;
        }
    }
}
