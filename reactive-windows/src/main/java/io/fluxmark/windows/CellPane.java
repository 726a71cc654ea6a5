package io.fluxmark.windows;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A pane whose accumulators are longs, side by side in one array, each behind the count of its events. */
final class CellPane<T> extends SlotPane<T, long[]> {

    private final LongsAggregation<? super T, ?> aggregation;

    /** How many longs a place has. */
    private final int stride;

    /** Additions less retractions, 0 where there is nothing, and the accumulator. */
    private long[] cells;

    CellPane(LongsAggregation<? super T, ?> aggregation, long start, WindowSpec windows, int expected, int slotBound) {
        super(start, windows, expected, slotBound);
        this.aggregation = aggregation;
        this.stride = aggregation.cells() + 1;
        this.cells = cells(places());
    }

    private long[] cells(int places) {
        return new long[Math.multiplyExact(places, stride)];
    }

    @Override
    boolean holds(int place) {
        return cells[place * stride] != 0;
    }

    @Override
    void move(int length, int[] to) {
        long[] moved = cells(length);
        for (int place = 0; place < to.length; place++) {
            if (to[place] != NOWHERE) {
                System.arraycopy(cells, place * stride, moved, to[place] * stride, stride);
            }
        }
        cells = moved;
    }

    /** Where the accumulator of {@code slot} begins in {@link #cells()}, or {@link #NOWHERE}. */
    int indexOf(int slot) {
        int place = placeOf(slot);
        return place == NOWHERE || cells[place * stride] == 0 ? NOWHERE : place * stride + 1;
    }

    /** The accumulators, for reading. */
    long[] cells() {
        return cells;
    }

    @Override
    long @Nullable [] get(int slot) {
        int at = indexOf(slot);
        return at == NOWHERE ? null : Arrays.copyOfRange(cells, at, at + stride - 1);
    }

    @Override
    boolean add(int slot, T event) {
        int at = indexOf(slot);
        if (at == NOWHERE) {
            return false;
        }
        cells[at - 1]++;
        aggregation.add(cells, at, event);
        return true;
    }

    @Override
    void addFirst(int slot, T event, int slotBound) {
        int at = insert(slot, slotBound) * stride + 1;
        cells[at - 1] = 1;
        aggregation.init(cells, at);
        aggregation.add(cells, at, event);
    }

    @Override
    long count(int slot) {
        return cells[indexOf(slot) - 1];
    }

    @Override
    void put(int slot, long[] accumulator, long count, int slotBound) {
        int at = insert(slot, slotBound) * stride + 1;
        cells[at - 1] = count;
        System.arraycopy(accumulator, 0, cells, at, stride - 1);
    }

    @Override
    boolean takeBack(int slot, T event) {
        int at = indexOf(slot);
        cells[at - 1]--;
        aggregation.subtract(cells, at, event);
        if (cells[at - 1] > 0) {
            return false;
        }
        removed();
        Arrays.fill(cells, at, at + stride - 1, 0);
        return true;
    }
}
