package io.fluxmark.windows;

import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;

/** Takes the events of one key apart into windows that depend on the other events, by a plain loop. */
final class PlainGroups<T> {

    /** A window and all that is in it. */
    record Group<T>(TimeWindow window, List<T> events) {}

    private final TimestampFunction<? super T> timestamps;
    private final ToLongFunction<? super T> gap;

    PlainGroups(TimestampFunction<? super T> timestamps, ToLongFunction<? super T> gap) {
        this.timestamps = timestamps;
        this.gap = gap;
    }

    /** The windows of a key's events, which are sorted by time but for count windows. */
    List<Group<T>> of(WindowSpec windows, List<T> events) {
        return switch (windows.kind()) {
            case SESSION -> sessions(events);
            case COUNT -> counted(windows.sizeMillis(), events);
            case GLOBAL -> List.of(new Group<>(new TimeWindow(Long.MIN_VALUE, Long.MAX_VALUE), events));
            case TUMBLING, SLIDING, CALENDAR ->
                throw new IllegalArgumentException(windows + " windows do not depend on other events");
        };
    }

    /** A new session begins where an event comes at or behind the end that all before it have kept open (S16, S17). */
    private List<Group<T>> sessions(List<T> sorted) {
        List<Group<T>> sessions = new ArrayList<>();
        int first = 0;
        while (first < sorted.size()) {
            long end = keptOpen(sorted.get(first));
            int next = first + 1;
            while (next < sorted.size() && timestamps.epochMillis(sorted.get(next)) < end) {
                end = Math.max(end, keptOpen(sorted.get(next++)));
            }
            long start = timestamps.epochMillis(sorted.get(first));
            sessions.add(new Group<>(new TimeWindow(start, end), sorted.subList(first, next)));
            first = next;
        }
        return sessions;
    }

    private long keptOpen(T event) {
        return timestamps.epochMillis(event) + gap.applyAsLong(event);
    }

    /** So many at a time, the last window with what is left. */
    private List<Group<T>> counted(long size, List<T> events) {
        List<Group<T>> windows = new ArrayList<>();
        int first = 0;
        while (first < events.size()) {
            int next = (int) Math.min(events.size(), first + size);
            List<T> some = events.subList(first, next);
            long start = Long.MAX_VALUE;
            long end = Long.MIN_VALUE;
            for (T event : some) {
                start = Math.min(start, timestamps.epochMillis(event));
                end = Math.max(end, timestamps.epochMillis(event) + 1);
            }
            windows.add(new Group<>(new TimeWindow(start, end), some));
            first = next;
        }
        return windows;
    }
}
