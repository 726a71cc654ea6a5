package io.fluxmark.sinks;

import io.fluxmark.windows.StateBackend;
import io.fluxmark.windows.StateTransaction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Where a lane stands: part of every transaction, beside the state that it belongs to. As longs:
 *
 * <pre>
 * next offset of the first partition, 1 where finished, transaction, oldest offset of the first partition,
 * next offset of the second, oldest offset of the second, ...
 * </pre>
 *
 * @param partitions how far each partition of the lane is, in the lane's order; none before the first transaction
 * @param finished whether the job was drained there
 * @param transaction the transaction that brought it there, 0 before the first
 * @param numbers the numbers of the partitions, where they are of several topics; empty elsewhere
 */
record LanePosition(List<Offsets> partitions, boolean finished, long transaction, List<Integer> numbers) {

    /**
     * How far one partition is.
     *
     * @param next the offset of the next record to read
     * @param oldest the same of the oldest transaction that the store may have come back to then; at most {@code next}
     */
    record Offsets(long next, long oldest) {

        static final Offsets BEGIN = new Offsets(0, 0);
    }

    /** The operator name under which jobs keep their own values. */
    static final String OPERATOR = "job";

    static final String NAME = "position";

    /** Under which the numbers of partitions are kept, where they are of several topics. */
    static final String NUMBERS = "partitions";

    static final LanePosition BEGIN = new LanePosition(List.of(), false, 0);

    private static final int OLDEST = 3;
    private static final int FIRST = 4;

    /** Of partitions of one topic. */
    LanePosition(List<Offsets> partitions, boolean finished, long transaction) {
        this(partitions, finished, transaction, List.of());
    }

    LanePosition {
        partitions = List.copyOf(partitions);
        numbers = List.copyOf(numbers);
    }

    static LanePosition restore(StateBackend state) {
        long @Nullable [] stored = state.longs(OPERATOR, NAME);
        return stored == null ? BEGIN : of(stored);
    }

    static LanePosition of(long[] stored) {
        List<Offsets> partitions = new ArrayList<>();
        // Stores written before there was an oldest offset do not say it.
        partitions.add(new Offsets(stored[0], stored.length > OLDEST ? stored[OLDEST] : stored[0]));
        for (int at = FIRST; at < stored.length; at += 2) {
            partitions.add(new Offsets(stored[at], stored[at + 1]));
        }
        return new LanePosition(partitions, stored[1] != 0, stored[2]);
    }

    /** The same with the numbers of its partitions, as they are kept. */
    LanePosition withNumbers(long[] stored) {
        return new LanePosition(
                partitions,
                finished,
                transaction,
                Arrays.stream(stored).mapToObj(Math::toIntExact).toList());
    }

    /** The number of the lane's partition at {@code index}. */
    int number(int lane, int index) {
        return numbers.isEmpty() ? lane + index : numbers.get(index);
    }

    /** How far the lane's partition at {@code index} is, from 0; the beginning where nothing is committed of it. */
    Offsets offsets(int index) {
        return index < partitions.size() ? partitions.get(index) : Offsets.BEGIN;
    }

    /** The offset of the next record to read of the lane's partition at {@code index}, from 0. */
    long nextOffset(int index) {
        return offsets(index).next();
    }

    void save(StateTransaction to) {
        long[] longs = new long[FIRST + 2 * (partitions.size() - 1)];
        longs[0] = nextOffset(0);
        longs[1] = finished ? 1 : 0;
        longs[2] = transaction;
        longs[OLDEST] = offsets(0).oldest();
        for (int i = 1; i < partitions.size(); i++) {
            longs[FIRST + 2 * (i - 1)] = partitions.get(i).next();
            longs[FIRST + 2 * i - 1] = partitions.get(i).oldest();
        }
        to.longs(OPERATOR, NAME, longs);
        if (!numbers.isEmpty()) {
            to.longs(OPERATOR, NUMBERS, numbers.stream().mapToLong(n -> n).toArray());
        }
    }
}
