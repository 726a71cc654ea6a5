package io.fluxmark.windows;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/** Merges panes of longs; what a window of one pane has is taken from there. */
final class MergedCells<T, R> extends MergedPanes<T, long[], R> {

    private final LongsAggregation<? super T, R> aggregation;
    private final int cells;
    private List<CellPane<T>> window = List.of();

    /** Where the accumulators of what is loaded begin, or {@link SlotTable#NOWHERE}, and in what. */
    private final int[] indexes = new int[PAGE];

    private long[] accumulators;

    /** For sums over several panes. */
    private final long[] sums;

    MergedCells(LongsAggregation<? super T, R> aggregation, SlotPanes<T, long[]> panes, WindowSpec windows) {
        super(aggregation, panes, windows);
        this.aggregation = aggregation;
        this.cells = aggregation.cells();
        this.sums = new long[single ? 0 : PAGE * cells];
        this.accumulators = sums;
    }

    @Override
    void begin(List<SlotPane<T, long[]>> next) {
        window = new ArrayList<>();
        next.forEach(pane -> window.add((CellPane<T>) pane));
    }

    @Override
    void load(int[] slots) {
        if (single) {
            CellPane<T> pane = window.get(0);
            accumulators = pane.cells();
            for (int i = 0; i < slots.length; i++) {
                indexes[i] = pane.indexOf(slots[i]);
            }
        } else {
            Arrays.fill(indexes, SlotTable.NOWHERE);
            Arrays.fill(sums, 0);
            window.forEach(pane -> add(pane, slots));
        }
    }

    private void add(CellPane<T> pane, int[] slots) {
        for (int i = 0; i < slots.length; i++) {
            int from = pane.indexOf(slots[i]);
            if (from != SlotTable.NOWHERE) {
                int at = i * cells;
                if (indexes[i] != at) {
                    aggregation.init(sums, at);
                    indexes[i] = at;
                }
                aggregation.merge(sums, at, pane.cells(), from);
            }
        }
    }

    @Override
    boolean has(int i) {
        return indexes[i] != SlotTable.NOWHERE;
    }

    @Override
    R result(int i) {
        return Objects.requireNonNull(aggregation.result(accumulators, indexes[i]), "the aggregation's result");
    }
}
