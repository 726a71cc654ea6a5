package io.fluxmark.windows;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BinaryOperator;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The plain batch evaluation of a window definition: sort, then loop. It is the oracle that a stream's output is held
 * against (S51) and shares nothing with the operators but the definition of the windows. For finite input that fits
 * into memory.
 */
public final class PlainBatch {

    private PlainBatch() {}

    /**
     * The value of every window and key over {@code events}, ordered by the end and start of the window, then by key.
     * Events are added in the order of their timestamps, equal ones in the order given.
     */
    public static <T, K, A, R> List<BatchResult<K, R>> evaluate(
            Iterable<? extends T> events,
            TimestampFunction<? super T> timestamps,
            Function<? super T, ? extends K> key,
            WindowSpec windows,
            Aggregation<? super T, A, R> aggregation) {
        return evaluate(events, timestamps, key, windows, event -> windows.sizeMillis(), aggregation);
    }

    /** The same for sessions whose gap each event says itself, in ms. */
    public static <T, K, A, R> List<BatchResult<K, R>> evaluate(
            Iterable<? extends T> events,
            TimestampFunction<? super T> timestamps,
            Function<? super T, ? extends K> key,
            WindowSpec windows,
            ToLongFunction<? super T> gapMillis,
            Aggregation<? super T, A, R> aggregation) {
        List<Assigned<T>> assigned = new ArrayList<>();
        switch (windows.kind()) {
            case SESSION ->
                PlainBatch.<T>byKey(events, key)
                        .forEach(ofKey -> assigned.addAll(sessions(ofKey, timestamps, gapMillis)));
            case COUNT, GLOBAL ->
                throw new IllegalArgumentException("there is no plain batch of " + windows + " windows");
            default -> {
                for (T event : events) {
                    for (TimeWindow window : windows.windowsOf(timestamps.epochMillis(event))) {
                        assigned.add(new Assigned<>(event, window));
                    }
                }
            }
        }
        return evaluateAssigned(assigned, timestamps, key, aggregation);
    }

    private static <T> List<List<T>> byKey(Iterable<? extends T> events, Function<? super T, ?> key) {
        Map<Object, List<T>> byKey = new LinkedHashMap<>();
        for (T event : events) {
            byKey.computeIfAbsent(key.apply(event), k -> new ArrayList<>()).add(event);
        }
        return List.copyOf(byKey.values());
    }

    /** The sessions of one key: sorted, and split where an event comes a gap behind all before it (S16, S17). */
    private static <T> List<Assigned<T>> sessions(
            List<T> events, TimestampFunction<? super T> timestamps, ToLongFunction<? super T> gap) {
        List<T> sorted = new ArrayList<>(events);
        sorted.sort(Comparator.comparingLong(timestamps::epochMillis));
        List<Assigned<T>> assigned = new ArrayList<>();
        int first = 0;
        while (first < sorted.size()) {
            long start = timestamps.epochMillis(sorted.get(first));
            long end = start + gap.applyAsLong(sorted.get(first));
            int next = first + 1;
            while (next < sorted.size() && timestamps.epochMillis(sorted.get(next)) < end) {
                T event = sorted.get(next++);
                end = Math.max(end, timestamps.epochMillis(event) + gap.applyAsLong(event));
            }
            TimeWindow session = new TimeWindow(start, end);
            sorted.subList(first, next).forEach(event -> assigned.add(new Assigned<>(event, session)));
            first = next;
        }
        return assigned;
    }

    /**
     * The same over pairs of an event and a window: those that a stream has accepted, where an event may have been late
     * for some of its windows and not for others (S11).
     */
    public static <T, K, A, R> List<BatchResult<K, R>> evaluateAssigned(
            Iterable<Assigned<T>> assigned,
            TimestampFunction<? super T> timestamps,
            Function<? super T, ? extends K> key,
            Aggregation<? super T, A, R> aggregation) {
        List<Assigned<T>> sorted = new ArrayList<>();
        assigned.forEach(sorted::add);
        sorted.sort(Comparator.comparingLong(each -> timestamps.epochMillis(each.event)));
        Map<Slot<K>, A> accumulators = new HashMap<>();
        for (Assigned<T> each : sorted) {
            Slot<K> slot = new Slot<>(key.apply(each.event), each.window);
            A accumulator = accumulators.containsKey(slot) ? accumulators.get(slot) : aggregation.create();
            accumulators.put(slot, aggregation.add(accumulator, each.event));
        }
        List<BatchResult<K, R>> results = new ArrayList<>();
        accumulators.forEach((slot, accumulator) ->
                results.add(new BatchResult<>(slot.key, slot.window, aggregation.result(accumulator))));
        Comparator<K> keyOrder = KeyCodec.<K>tagged().order();
        results.sort(Comparator.<BatchResult<K, R>, TimeWindow>comparing(BatchResult::window)
                .thenComparing(BatchResult::key, keyOrder));
        return results;
    }

    /** An event and a window that it is in. */
    public record Assigned<T>(T event, TimeWindow window) {}

    /** The value of one window and key. */
    public record BatchResult<K, R>(K key, TimeWindow window, R value) {}

    /**
     * What is left of a sequence of emissions when every retraction has taken its result back; throws where one takes
     * back what is not there, or a second value appears beside a live one (S15). For {@link Accumulation#RETRACT}.
     */
    public static <K, V> Map<Slot<K>, V> fold(Iterable<WindowResult<K, V>> emissions) {
        Map<Slot<K>, V> live = new HashMap<>();
        for (WindowResult<K, V> emission : emissions) {
            Slot<K> slot = new Slot<>(emission.key(), emission.window());
            @Nullable V present = live.get(slot);
            if (emission.isRetraction()) {
                if (!emission.value().equals(present)) {
                    throw new IllegalStateException(
                            emission + " takes back a value that is not live; live is " + present);
                }
                live.remove(slot);
            } else if (present != null) {
                throw new IllegalStateException(emission + " stands beside the live value " + present);
            } else {
                live.put(slot, emission.value());
            }
        }
        return live;
    }

    /**
     * The last value of every window and key: what emissions come to that overwrite each other. A session overwrites those
     * that it has grown out of. For {@link Accumulation#ACCUMULATE}.
     */
    public static <K, V> Map<Slot<K>, V> latest(WindowSpec windows, Iterable<WindowResult<K, V>> emissions) {
        return sum(windows, emissions, (earlier, later) -> later);
    }

    /**
     * The sum of the values of every window and key: what emissions of parts come to. A session takes in the sums of those
     * that it has grown out of. For {@link Accumulation#DISCARD}.
     */
    public static <K, V> Map<Slot<K>, V> sum(
            WindowSpec windows, Iterable<WindowResult<K, V>> emissions, BinaryOperator<V> plus) {
        boolean grows = windows.kind() == WindowSpec.Kind.SESSION;
        Map<Slot<K>, V> sums = new HashMap<>();
        for (WindowResult<K, V> emission : emissions) {
            if (emission.isRetraction()) {
                throw new IllegalStateException(emission + " takes back what " + windows + " windows never do");
            }
            Slot<K> slot = new Slot<>(emission.key(), emission.window());
            List<Slot<K>> grownOutOf = sums.keySet().stream()
                    .filter(other -> other.equals(slot) || (grows && isWithin(other, slot)))
                    .sorted(Comparator.comparing(Slot::window))
                    .toList();
            V sum = emission.value();
            for (int i = grownOutOf.size() - 1; i >= 0; i--) {
                sum = plus.apply(sums.remove(grownOutOf.get(i)), sum);
            }
            sums.put(slot, sum);
        }
        return sums;
    }

    private static boolean isWithin(Slot<?> inner, Slot<?> outer) {
        return inner.key.equals(outer.key)
                && inner.window.start() >= outer.window.start()
                && inner.window.end() <= outer.window.end();
    }

    /** A key and a window: the place of one value. */
    public record Slot<K>(K key, TimeWindow window) {}
}
