package io.fluxmark.windows;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Merges the panes of a window, from the first to the last, each time: for windows of few panes. */
final class MergedPanes<A> extends PaneFold<A> {

    private final long size;
    private final long slide;

    /** Whether each window is one pane, whose accumulators are taken as they are. */
    private final boolean single;

    private List<SlotPane<A>> window = List.of();

    MergedPanes(Aggregation<?, A, ?> aggregation, SlotPanes<A> panes, WindowSpec windows) {
        super(aggregation, panes);
        this.size = windows.sizeMillis();
        this.slide = windows.slideMillis();
        this.single = SlotPanes.width(windows) == size;
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
        if (single) {
            return under.isEmpty() ? null : under.get(0).get(slot);
        }
        A sum = null;
        for (int i = 0; i < under.size(); i++) {
            A accumulator = under.get(i).get(slot);
            if (accumulator != null) {
                sum = added(sum, accumulator);
            }
        }
        return sum;
    }

    /** Pane by pane: what is read for one key does not wait for what is read for another. */
    @Override
    void values(KeyOrder<?> walk, int from, @Nullable A[] page) {
        int[] slots = walk.slots(from, page.length);
        if (single) {
            window.get(0).gather(slots, page);
            return;
        }
        @Nullable A[] column = Arrays.copyOf(page, slots.length);
        for (int p = 0; p < window.size(); p++) {
            window.get(p).gather(slots, column);
            for (int i = 0; i < slots.length; i++) {
                A accumulator = column[i];
                if (accumulator != null) {
                    page[i] = added(page[i], accumulator);
                }
            }
        }
    }

    /** The first pane's accumulator is copied even where it stays the only one: knowing that takes longer than copying. */
    private A added(@Nullable A sum, A accumulator) {
        return sum == null ? copy(accumulator) : merge(sum, accumulator);
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
