package io.fluxmark.windows;

/** How the panes of one lane keep accumulators, and how windows are made of such panes. */
abstract class PaneLayout<T, A, R> {

    /** Windows of more panes keep running values. */
    private static final int MOST_MERGED = 8;

    final Aggregation<? super T, A, R> aggregation;

    private PaneLayout(Aggregation<? super T, A, R> aggregation) {
        this.aggregation = aggregation;
    }

    /**
     * Of longs where the accumulators are longs, else of objects.
     *
     * @param stored whether what panes hold is written to a store: with how many events there were
     */
    @SuppressWarnings("unchecked") // the accumulators of a LongsAggregation are arrays of longs
    static <T, A, R> PaneLayout<T, A, R> of(Aggregation<? super T, A, R> aggregation, boolean stored) {
        return aggregation instanceof LongsAggregation
                ? (PaneLayout<T, A, R>) new Longs<>((LongsAggregation<? super T, R>) aggregation)
                : new Objects<>(aggregation, stored || aggregation.canSubtract());
    }

    /** Brings near what events {@code from} to {@code to}, exclusive, of {@code run} will most likely change. */
    abstract void touch(SlotPanes<T, A> panes, EventBatch<T> run, int from, int to, KeyRun<T, ?> keys);

    /** An empty pane that begins at {@code start}; {@code expected} and {@code slotBound} as for a {@link SlotTable}. */
    abstract SlotPane<T, A> open(long start, WindowSpec windows, int expected, int slotBound);

    /** Makes windows of few panes. */
    abstract PaneFold<T, A, R> merging(SlotPanes<T, A> panes, WindowSpec windows);

    /** Makes the windows of {@code panes}. */
    final PaneFold<T, A, R> fold(SlotPanes<T, A> panes, WindowSpec windows) {
        return windows.sizeMillis() / SlotPanes.width(windows) > MOST_MERGED
                ? new RunningPanes<>(aggregation, panes, windows)
                : merging(panes, windows);
    }

    private static final class Objects<T, A, R> extends PaneLayout<T, A, R> {

        private final SpareAccumulators<A> spare;

        private final boolean counted;

        Objects(Aggregation<? super T, A, R> aggregation, boolean counted) {
            super(aggregation);
            this.counted = counted;
            this.spare = new SpareAccumulators<>(aggregation);
        }

        @Override
        void touch(SlotPanes<T, A> panes, EventBatch<T> run, int from, int to, KeyRun<T, ?> keys) {
            for (int i = from; i < to; i++) {
                SlotPane<T, A> pane = panes.findRecent(run.timestamp(i));
                if (pane != null && keys.get(i) != KeySlots.NONE) {
                    Cache.touch(pane.get(keys.get(i)));
                }
            }
        }

        @Override
        SlotPane<T, A> open(long start, WindowSpec windows, int expected, int slotBound) {
            return new ObjectPane<>(aggregation, spare, start, windows, expected, slotBound, counted);
        }

        @Override
        PaneFold<T, A, R> merging(SlotPanes<T, A> panes, WindowSpec windows) {
            return new MergedObjects<>(aggregation, panes, windows);
        }
    }

    private static final class Longs<T, R> extends PaneLayout<T, long[], R> {

        private final LongsAggregation<? super T, R> longs;

        Longs(LongsAggregation<? super T, R> aggregation) {
            super(aggregation);
            this.longs = aggregation;
            if (aggregation.cells() < 1) {
                throw new IllegalArgumentException("an accumulator has at least 1 long, but cells() of " + aggregation
                        + " is " + aggregation.cells() + ": return how many longs add, merge and result use");
            }
        }

        @Override
        void touch(SlotPanes<T, long[]> panes, EventBatch<T> run, int from, int to, KeyRun<T, ?> keys) {
            // where an accumulator is follows from the slot: reads of several need not wait for each other as it is
        }

        @Override
        SlotPane<T, long[]> open(long start, WindowSpec windows, int expected, int slotBound) {
            return new CellPane<>(longs, start, windows, expected, slotBound);
        }

        @Override
        PaneFold<T, long[], R> merging(SlotPanes<T, long[]> panes, WindowSpec windows) {
            return new MergedCells<>(longs, panes, windows);
        }
    }
}
