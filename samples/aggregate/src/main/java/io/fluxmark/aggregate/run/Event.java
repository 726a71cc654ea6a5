package io.fluxmark.aggregate.run;

import io.fluxmark.aggregate.input.EventRecord;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One record, with what the run needs of it.
 *
 * @param line the line on which it begins
 * @param key a string, or a list of strings
 * @param partition where it came from, from 0
 * @param timestamp its event time, epoch ms
 * @param arrival when it came in, epoch ms; {@link Long#MIN_VALUE} without an arrival field
 * @param numbers the values of the aggregated fields, null where it has none
 * @param origin all of it, where that may be written again
 * @param id what it has in common with its duplicates, of the kinds of a key; null where that does not matter
 */
public record Event(
        long line,
        Object key,
        int partition,
        long timestamp,
        long arrival,
        List<@Nullable Number> numbers,
        @Nullable EventRecord origin,
        @Nullable Object id) {

    /** One whose duplicates count. */
    public Event(
            long line,
            Object key,
            int partition,
            long timestamp,
            long arrival,
            List<@Nullable Number> numbers,
            @Nullable EventRecord origin) {
        this(line, key, partition, timestamp, arrival, numbers, origin, null);
    }

    /** The id of one that has one. */
    public Object requireId() {
        return Objects.requireNonNull(id, "id");
    }

    @Override
    public String toString() {
        return "the event on line " + line;
    }
}
