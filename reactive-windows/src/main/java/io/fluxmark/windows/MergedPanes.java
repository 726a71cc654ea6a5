package io.fluxmark.windows;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Merges the panes of a window, from the first to the last, each time: for windows of few panes. */
final class MergedPanes<A> extends PaneFold<A> {

    private final long size;
    private final long slide;
    private List<SlotPane<A>> window = List.of();

    MergedPanes(Aggregation<?, A, ?> aggregation, SlotPanes<A> panes, WindowSpec windows) {
        super(aggregation, panes);
        this.size = windows.sizeMillis();
        this.slide = windows.slideMillis();
    }

    @Override
    void begin(TimeWindow next) {
        window = panesFrom(next.start());
    }

    private List<SlotPane<A>> panesFrom(long start) {
        return new ArrayList<>(panes.between(start, start + size));
    }

    @Override
    @Nullable
    A value(int slot) {
        return merged(window, slot);
    }

    private @Nullable A merged(List<SlotPane<A>> under, int slot) {
        A first = null;
        A merged = null;
        for (int i = 0; i < under.size(); i++) {
            A accumulator = under.get(i).get(slot);
            if (accumulator != null) {
                if (first == null) {
                    first = accumulator;
                } else {
                    merged = merge(merged == null ? copy(first) : merged, accumulator);
                }
            }
        }
        return merged == null ? first : merged;
    }

    @Override
    void values(int slot, long first, long last, Values<A> into) {
        for (long start = first; start <= last; start += slide) {
            into.accept(start, merged(panesFrom(start), slot));
        }
    }

    @Override
    void changed(SlotPane<A> pane, int slot) {
        // nothing is kept
    }

    @Override
    void forget(int slot) {
        // nothing is kept
    }

    @Override
    void forgetAll() {
        // nothing is kept
    }
}
