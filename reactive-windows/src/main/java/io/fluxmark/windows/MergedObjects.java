package io.fluxmark.windows;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Merges panes of objects: pane by pane, so that what is read for one key does not wait for what is read for another. */
final class MergedObjects<T, A, R> extends MergedPanes<T, A, R> {

    private List<ObjectPane<T, A>> window = List.of();
    private @Nullable A[] merged = newPage(0);

    MergedObjects(Aggregation<? super T, A, R> aggregation, SlotPanes<T, A> panes, WindowSpec windows) {
        super(aggregation, panes, windows);
    }

    @SuppressWarnings("unchecked") // an array of a generic type
    private static <A> @Nullable A[] newPage(int length) {
        return (A[]) new Object[length];
    }

    @Override
    void begin(List<SlotPane<T, A>> next) {
        window = new ArrayList<>();
        next.forEach(pane -> window.add((ObjectPane<T, A>) pane));
    }

    @Override
    void load(int[] slots) {
        @Nullable A[] sums = newPage(slots.length);
        if (single) {
            window.get(0).gather(slots, sums);
        } else {
            merge(slots, sums);
        }
        merged = sums;
    }

    private void merge(int[] slots, @Nullable A[] sums) {
        @Nullable A[] column = newPage(slots.length);
        for (int p = 0; p < window.size(); p++) {
            window.get(p).gather(slots, column);
            for (int i = 0; i < slots.length; i++) {
                A accumulator = column[i];
                if (accumulator != null) {
                    sums[i] = added(sums[i], accumulator);
                }
            }
        }
    }

    @Override
    boolean has(int i) {
        return merged[i] != null;
    }

    @Override
    R result(int i) {
        return resultOf(merged[i]);
    }
}
