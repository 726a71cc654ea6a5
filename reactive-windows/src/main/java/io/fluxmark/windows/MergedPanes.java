package io.fluxmark.windows;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Merges the panes of a window, from the first to the last, each time: for windows of few panes. */
abstract class MergedPanes<T, A, R> extends PaneFold<T, A, R> {

    private final long size;
    private final long slide;

    /** Whether each window is one pane, whose accumulators are taken as they are. */
    final boolean single;

    MergedPanes(Aggregation<? super T, A, R> aggregation, SlotPanes<T, A> panes, WindowSpec windows) {
        super(aggregation, panes);
        this.size = windows.sizeMillis();
        this.slide = windows.slideMillis();
        this.single = SlotPanes.width(windows) == size;
    }

    @Override
    final void begin(TimeWindow next) {
        begin(panesFrom(next.start()));
    }

    /** The panes of the window that {@link #load} is about. */
    abstract void begin(List<SlotPane<T, A>> window);

    private List<SlotPane<T, A>> panesFrom(long start) {
        return new ArrayList<>(panes.between(start, start + size));
    }

    @Override
    final void results(int slot, long first, long last, Results<R> into) {
        for (long start = first; start <= last; start += slide) {
            A sum = null;
            for (SlotPane<T, A> pane : panesFrom(start)) {
                A accumulator = pane.get(slot);
                if (accumulator != null) {
                    sum = added(sum, accumulator);
                }
            }
            into.accept(start, sum == null ? null : resultOf(sum));
        }
    }

    /** The first is copied even where it stays the only one: knowing that takes longer than copying. */
    final A added(@Nullable A sum, A accumulator) {
        if (single) {
            return accumulator;
        }
        return sum == null ? copy(accumulator) : merge(sum, accumulator);
    }

    @Override
    final void changed(SlotPane<T, A> pane, int slot) {
        // nothing is kept
    }

    @Override
    final void forget(int slot) {
        // nothing is kept
    }

    @Override
    final void forgetAll() {
        // nothing is kept
    }
}
