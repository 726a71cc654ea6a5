package io.fluxmark.aggregate.check;

import io.fluxmark.aggregate.run.Event;
import io.fluxmark.aggregate.value.Value;
import io.fluxmark.windows.TimeWindow;
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

    /** Every {@code size} events in the order of the input; the windows are numbered. */
    static Map<Slot, List<Event>> counted(Object key, List<Event> events, long size) {
        Map<Slot, List<Event>> windows = new HashMap<>();
        for (long from = 0, number = 0; from < events.size(); from += size, number++) {
            int end = (int) Math.min(events.size(), from + Math.min(size, events.size()));
            windows.put(new Slot(key, number(number)), events.subList((int) from, end));
            if (size > events.size()) {
                break;
            }
        }
        return windows;
    }

    private static TimeWindow number(long number) {
        return new TimeWindow(number, number);
    }

    /** The windows of each key by their numbers, whatever their bounds: these say when, not which. */
    static Map<Slot, Value> numbered(Map<Slot, Value> values) {
        Map<Object, Long> next = new HashMap<>();
        Map<Slot, Value> numbered = new HashMap<>();
        values.entrySet().stream().sorted(Map.Entry.comparingByKey(Slot.ORDER)).forEach(entry -> {
            Object key = entry.getKey().key();
            long number = next.merge(key, 1L, Long::sum) - 1;
            numbered.put(new Slot(key, number(number)), entry.getValue());
        });
        return numbered;
    }
}
