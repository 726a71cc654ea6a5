package io.fluxmark.windows;

import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/** One source of a merge: a partition, whose first value is read before it is taken. */
final class MergedSource<T> extends MergeInput<T> {

    private final MergeOperator<T> merge;

    /** The first value, once it is read; the others still wait behind it. */
    private @Nullable T head;

    private long timestamp;
    private boolean ahead;

    /** @param prefetch how many values are requested ahead, at least 1 */
    MergedSource(MergeOperator<T> merge, int index, int prefetch) {
        super(merge, index, prefetch);
        this.merge = merge;
    }

    /** Whether there is a first value that {@link #take} would return. */
    boolean hasHead() {
        return head != null;
    }

    /**
     * Makes the next valid value the first one, where there is none yet; the invalid ones before it are told and counted.
     *
     * @return whether there is a first value now that there was not before
     */
    boolean readHead(TimestampReader<T, T> reader, LiveCounters counters) {
        while (head == null && !merge.isUnwanted()) {
            head = poll();
            if (head == null) {
                return false;
            }
            if (reader.read(head) != null) {
                timestamp = reader.timestamp();
                ahead = reader.isAhead();
                return true;
            }
            counters.add(Counter.INGESTED, 1);
            counters.add(Counter.REJECTED, 1);
            take();
        }
        return false;
    }

    /** The first value, which it is no more: another one may be sent for it. */
    T take() {
        T value = Objects.requireNonNull(head, "head");
        head = null;
        isDoneWithOne();
        return value;
    }

    /** The time of the first value, epoch ms. */
    long timestamp() {
        return timestamp;
    }

    /** Whether that lies beyond the guard. */
    boolean isAhead() {
        return ahead;
    }

    @Override
    boolean holds() {
        return head != null;
    }

    @Override
    void discardHeld(Context context) {
        T first = head;
        head = null;
        if (first != null) {
            Operators.onDiscard(first, context);
        }
    }

    @Override
    Stream<?> contents(T value) {
        return Stream.of(value);
    }
}
