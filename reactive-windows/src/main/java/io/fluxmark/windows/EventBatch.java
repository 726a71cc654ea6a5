package io.fluxmark.windows;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.IntToLongFunction;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A run of 1 to {@value #MAX_SIZE} events that travel together, because crossing a thread or an operator costs the same
 * for one element as for many. How events fall into runs has no meaning: results never depend on it (S04).
 *
 * <p>Beside the values lie, in parallel arrays that are absent where constant, the timestamps, the watermark in force
 * <em>before</em> each event, and a sign: +1, or -1 for a retraction. One more watermark is in force after the run.
 * Immutable once emitted.
 *
 * @param <T> the type of the values
 */
public final class EventBatch<T> implements StreamElement<T> {

    /** The most events a run holds. */
    public static final int MAX_SIZE = 256;

    /** A list that nobody has looked at yet; null where the values are here. */
    private final @Nullable List<? extends T> unread;

    /** Taken from the list by who needs them first; all make the same of it. */
    private Object @Nullable [] values;

    final int size;
    final long @Nullable [] timestamps;
    final long @Nullable [] before;
    final long constantBefore;
    final long after;
    final byte @Nullable [] signs;

    /** Where the events stand in their source; null where that isn't known. */
    final @Nullable RunOffsets offsets;

    EventBatch(
            Object[] values,
            int size,
            long @Nullable [] timestamps,
            long @Nullable [] before,
            long constantBefore,
            long after,
            byte @Nullable [] signs) {
        this(values, size, timestamps, before, constantBefore, after, signs, null);
    }

    EventBatch(
            Object[] values,
            int size,
            long @Nullable [] timestamps,
            long @Nullable [] before,
            long constantBefore,
            long after,
            byte @Nullable [] signs,
            @Nullable RunOffsets offsets) {
        this(null, values, size, timestamps, before, constantBefore, after, signs, offsets);
    }

    private EventBatch(
            @Nullable List<? extends T> unread,
            Object @Nullable [] values,
            int size,
            long @Nullable [] timestamps,
            long @Nullable [] before,
            long constantBefore,
            long after,
            byte @Nullable [] signs,
            @Nullable RunOffsets offsets) {
        this.unread = unread;
        this.values = values;
        this.size = size;
        this.timestamps = timestamps;
        this.before = before;
        this.constantBefore = constantBefore;
        this.after = after;
        this.signs = signs;
        this.offsets = offsets;
    }

    /** A run of values without event time yet: an event-time operator has to follow. */
    @SafeVarargs
    public static <T> EventBatch<T> ofValues(T... values) {
        return untimed(Arrays.copyOf(values, values.length, Object[].class));
    }

    /** The same from a list, which is copied. */
    public static <T> EventBatch<T> ofValues(List<? extends T> values) {
        return untimed(values.toArray());
    }

    /**
     * The same of a list that is not copied and must not change any more: no element is got from it before an operator looks at
     * it, and one that gives events their time makes them with {@link EventDecoder#decodeAt}.
     */
    public static <T> EventBatch<T> ofRun(List<? extends T> run) {
        requireSize(run.size());
        return new EventBatch<>(run, null, run.size(), null, null, Watermark.NONE, Watermark.NONE, null, null);
    }

    private static void requireSize(int size) {
        if (size == 0 || size > MAX_SIZE) {
            throw new IllegalArgumentException("a run holds 1.." + MAX_SIZE + " events but got " + size);
        }
    }

    private static <T> EventBatch<T> untimed(Object[] values) {
        requireSize(values.length);
        for (Object value : values) {
            Objects.requireNonNull(value, "value");
        }
        return new EventBatch<>(values, values.length, null, null, Watermark.NONE, Watermark.NONE, null);
    }

    /**
     * The same run, of a source with positions: where its events stand in one partition of it.
     *
     * @param source the name of the source, for a log the topic's
     * @param offset the offset of an event, rising from each to the next
     */
    public EventBatch<T> withOffsets(String source, int partition, ToLongFunction<? super T> offset) {
        return withOffsetsAt(source, partition, i -> offset.applyAsLong(value(i)));
    }

    /** The same by the place in the run, from 0. */
    public EventBatch<T> withOffsetsAt(String source, int partition, IntToLongFunction offset) {
        return withOffsets(RunOffsets.of(source, partition, size, offset));
    }

    EventBatch<T> withOffsets(RunOffsets all) {
        return new EventBatch<>(unread, values, size, timestamps, before, constantBefore, after, signs, all);
    }

    /** A builder of runs with event time. */
    public static <T> EventBatchBuilder<T> builder() {
        return new EventBatchBuilder<>();
    }

    /** The number of events, 1 to {@value #MAX_SIZE}. */
    public int size() {
        return size;
    }

    /** The value of event {@code i}. */
    @SuppressWarnings("unchecked") // only values of T are ever put in
    public T value(int i) {
        return (T) values()[i];
    }

    /** The values, and perhaps more behind them. Not to be changed. */
    Object[] values() {
        Object[] all = values;
        if (all == null) {
            all = Objects.requireNonNull(unread, "unread").toArray();
            values = all;
        }
        return all;
    }

    /** The list of which the values would be got, where nobody has looked at it when the run was made. */
    @Nullable
    List<? extends T> unread() {
        return unread;
    }

    /** Whether the events have timestamps. */
    public boolean isTimed() {
        return timestamps != null;
    }

    /** The timestamp of event {@code i}, epoch ms. Throws {@link IllegalStateException} on a run without event time. */
    public long timestamp(int i) {
        if (timestamps == null) {
            throw new IllegalStateException(
                    "the events have no timestamps yet: put EventTime.assign, or watermarks(...), before this"
                            + " operator");
        }
        return timestamps[i];
    }

    /** The watermark in force before event {@code i}. */
    public long watermarkBefore(int i) {
        return before == null ? constantBefore : before[i];
    }

    /** The watermark in force after the last event. */
    public long watermarkAfter() {
        return after;
    }

    /** +1, or -1 where event {@code i} retracts an equal earlier one. */
    public int sign(int i) {
        return signs == null ? 1 : signs[i];
    }

    /** Whether any event may be a retraction. */
    public boolean hasRetractions() {
        return signs != null;
    }

    /** Where event {@code i} stands in its source; null where that isn't known. */
    public @Nullable EventPosition position(int i) {
        return offsets == null ? null : offsets.get(i);
    }

    /**
     * A run of some of the events, with other values; of none the watermark after them, which goes on (S34).
     *
     * @param picked the values, from 0 on; the run takes the array over
     * @param indexes which events they belong to, rising
     * @param count how many there are
     */
    <R> StreamElement<R> pick(Object[] picked, int[] indexes, int count) {
        if (count == 0) {
            return new Watermark<>(after);
        }
        if (count == size) {
            return new EventBatch<>(picked, size, timestamps, before, constantBefore, after, signs, offsets);
        }
        return new EventBatch<>(
                picked,
                count,
                timestamps == null ? null : pick(timestamps, indexes, count),
                before == null ? null : pick(before, indexes, count),
                constantBefore,
                after,
                signs == null ? null : pick(signs, indexes, count),
                offsets == null ? null : offsets.pick(indexes, count));
    }

    /**
     * A run of what some of the events have become, of one maybe several: each has the time, the watermark and the sign of its
     * event.
     *
     * @param results from 0 on; at least one
     * @param indexes which event each belongs to, never falling
     * @param watermarkAfter in force behind the last of them
     */
    <R> EventBatch<R> spread(Object[] results, int[] indexes, int count, long watermarkAfter) {
        return new EventBatch<>(
                Arrays.copyOf(results, count),
                count,
                timestamps == null ? null : pick(timestamps, indexes, count),
                before == null ? null : pick(before, indexes, count),
                constantBefore,
                watermarkAfter,
                signs == null ? null : pick(signs, indexes, count),
                offsets == null ? null : offsets.spread(indexes, count));
    }

    /** The events at the first {@code count} of {@code indexes}, which rise, and nothing else changed. */
    StreamElement<T> keep(int[] indexes, int count) {
        if (count == size) {
            return this;
        }
        Object[] all = values();
        Object[] kept = new Object[count];
        for (int i = 0; i < count; i++) {
            kept[i] = all[indexes[i]];
        }
        return pick(kept, indexes, count);
    }

    private static long[] pick(long[] all, int[] indexes, int count) {
        long[] some = new long[count];
        for (int i = 0; i < count; i++) {
            some[i] = all[indexes[i]];
        }
        return some;
    }

    private static byte[] pick(byte[] all, int[] indexes, int count) {
        byte[] some = new byte[count];
        for (int i = 0; i < count; i++) {
            some[i] = all[indexes[i]];
        }
        return some;
    }

    /** What a discard hook is given of an element: the values of a run, or the control element itself. */
    static Stream<?> contents(StreamElement<?> element) {
        if (element instanceof LaneOutput<?> output) {
            return output.items().stream().map(LaneItem::value);
        }
        StreamElement<?> events = element;
        if (element instanceof LanePart<?> part) {
            events = part.events;
        }
        return events instanceof EventBatch<?> run
                ? Arrays.stream(run.values(), 0, run.size)
                : Stream.ofNullable(events);
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("EventBatch[");
        for (int i = 0; i < size; i++) {
            text.append(sign(i) < 0 ? "-" : "").append(value(i));
            if (timestamps != null) {
                text.append('@').append(timestamps[i]);
            }
            text.append(", ");
        }
        return text.append("after=").append(after).append(']').toString();
    }
}
