package io.fluxmark.windows;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
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
        List<Assigned<T, K>> assigned = new ArrayList<>();
        for (T event : events) {
            long timestamp = timestamps.epochMillis(event);
            K k = key.apply(event);
            for (TimeWindow window : windows.windowsOf(timestamp)) {
                assigned.add(new Assigned<>(event, timestamp, k, window));
            }
        }
        assigned.sort((a, b) -> Long.compare(a.timestamp, b.timestamp));
        Map<TimeWindow, Map<K, A>> accumulators = new HashMap<>();
        for (Assigned<T, K> each : assigned) {
            Map<K, A> byKey = accumulators.computeIfAbsent(each.window, w -> new HashMap<>());
            A accumulator = byKey.containsKey(each.key) ? byKey.get(each.key) : aggregation.create();
            byKey.put(each.key, aggregation.add(accumulator, each.event));
        }
        List<BatchResult<K, R>> results = new ArrayList<>();
        accumulators.forEach((window, byKey) -> byKey.forEach(
                (k, accumulator) -> results.add(new BatchResult<>(k, window, aggregation.result(accumulator)))));
        java.util.Comparator<K> keyOrder = KeyCodec.<K>tagged().order();
        results.sort((a, b) -> {
            int byWindow = a.window.compareTo(b.window);
            return byWindow != 0 ? byWindow : keyOrder.compare(a.key, b.key);
        });
        return results;
    }

    private record Assigned<T, K>(T event, long timestamp, K key, TimeWindow window) {}

    /** The value of one window and key. */
    public record BatchResult<K, R>(K key, TimeWindow window, R value) {}

    /**
     * What is left of a sequence of emissions when every retraction has taken its result back; throws where one takes
     * back what is not there, or a second value appears beside a live one (S15).
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

    /** A key and a window: the place of one value. */
    public record Slot<K>(K key, TimeWindow window) {}
}
