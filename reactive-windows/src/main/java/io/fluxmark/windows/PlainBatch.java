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
     * Events are added in the order of their timestamps, equal ones in the order given; to count windows all in the order
     * given.
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
        List<T> all = new ArrayList<>();
        events.forEach(all::add);
        if (windows.kind() != WindowSpec.Kind.COUNT) {
            all.sort(Comparator.comparingLong(timestamps::epochMillis));
        }
        if (windows.hasFixedWindows()) {
            List<Assigned<T>> assigned = new ArrayList<>();
            for (T event : all) {
                windows.windowsOf(timestamps.epochMillis(event))
                        .forEach(window -> assigned.add(new Assigned<>(event, window)));
            }
            return evaluateAssigned(assigned, timestamps, key, aggregation);
        }
        Map<K, List<T>> byKey = new LinkedHashMap<>();
        all.forEach(event ->
                byKey.computeIfAbsent(key.apply(event), k -> new ArrayList<>()).add(event));
        PlainGroups<T> groups = new PlainGroups<>(timestamps, gapMillis);
        List<BatchResult<K, R>> results = new ArrayList<>();
        byKey.forEach((k, ofKey) -> groups.of(windows, ofKey)
                .forEach(group ->
                        results.add(new BatchResult<>(k, group.window(), value(group.events(), aggregation)))));
        return sorted(results);
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
        Map<Slot<K>, List<T>> bySlot = new LinkedHashMap<>();
        sorted.forEach(each -> bySlot.computeIfAbsent(
                        new Slot<>(key.apply(each.event), each.window), slot -> new ArrayList<>())
                .add(each.event));
        List<BatchResult<K, R>> results = new ArrayList<>();
        bySlot.forEach(
                (slot, events) -> results.add(new BatchResult<>(slot.key, slot.window, value(events, aggregation))));
        return sorted(results);
    }

    private static <T, A, R> R value(List<T> events, Aggregation<? super T, A, R> aggregation) {
        A accumulator = aggregation.create();
        for (T event : events) {
            accumulator = aggregation.add(accumulator, event);
        }
        return aggregation.result(accumulator);
    }

    private static <K, R> List<BatchResult<K, R>> sorted(List<BatchResult<K, R>> results) {
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
