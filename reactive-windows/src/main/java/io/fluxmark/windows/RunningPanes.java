package io.fluxmark.windows;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Values of windows of many panes, each made of what was made for the window before: about five merges for a key,
 * however many panes there are.
 *
 * <p>Panes are taken together in blocks of as many as a window has, counted from the offset on. A window then is the end of
 * one block and the beginning of the next, or just a block. For each key, all ends of the first block are made at once,
 * each from the one that is a pane shorter; the beginning of the second block grows. Where the blocks lie follows from time
 * alone, so that the same panes are always merged in the same order.
 *
 * <p>What is kept for a key is brought up to date when its value is asked for, and made anew after a change in it.
 */
final class RunningPanes<T, A, R> extends PaneFold<T, A, R> {

    private static final int FEWEST = 16;

    private final WindowSpec windows;

    /** The number of panes of a window, and of a block. */
    private final int length;

    private final Blocks current;

    private @Nullable Running<A>[] running = newRunning(FEWEST);

    private @Nullable A[] loaded = newPage();

    RunningPanes(Aggregation<? super T, A, R> aggregation, SlotPanes<T, A> panes, WindowSpec windows) {
        super(aggregation, panes);
        this.windows = windows;
        this.length = Math.toIntExact(windows.sizeMillis() / SlotPanes.width(windows));
        this.current = new Blocks();
    }

    @SuppressWarnings({"unchecked", "rawtypes"}) // an array of a generic type
    private static <A> @Nullable Running<A>[] newRunning(int length) {
        return new Running[length];
    }

    @SuppressWarnings("unchecked") // an array of a generic type
    private static <A> @Nullable A[] newPage() {
        return (A[]) new Object[0];
    }

    @Override
    void begin(TimeWindow window) {
        current.begin(window);
    }

    @Override
    @SuppressWarnings("unchecked") // an array of a generic type
    void load(int[] slots) {
        loaded = (A[]) new Object[slots.length];
        for (int i = 0; i < slots.length; i++) {
            loaded[i] = value(slots[i]);
        }
    }

    @Override
    boolean has(int i) {
        return loaded[i] != null;
    }

    @Override
    R result(int i) {
        return resultOf(loaded[i]);
    }

    private @Nullable A value(int slot) {
        if (slot >= running.length) {
            running = Arrays.copyOf(running, Math.max(slot + 1, running.length * 2));
        }
        Running<A> updated = current.update(running[slot], slot);
        running[slot] = updated;
        return value(updated);
    }

    private @Nullable A value(Running<A> kept) {
        End<A> end = kept.end;
        A beginning = kept.beginning;
        if (end == null || beginning == null) {
            return end == null ? beginning : end.accumulator;
        }
        return merge(copy(end.accumulator), beginning);
    }

    @Override
    void results(int slot, long first, long last, Results<R> into) {
        Blocks blocks = new Blocks();
        Running<A> kept = null;
        for (long start = first; start <= last; start += windows.slideMillis()) {
            blocks.begin(new TimeWindow(start, windows.endOf(start)));
            kept = blocks.update(kept, slot);
            A accumulator = value(kept);
            into.accept(start, accumulator == null ? null : resultOf(accumulator));
        }
    }

    @Override
    void changed(SlotPane<T, A> pane, int slot) {
        current.put(pane);
        forget(slot);
    }

    @Override
    void forget(int slot) {
        if (slot < running.length) {
            running[slot] = null;
        }
    }

    @Override
    void forgetAll() {
        running = newRunning(FEWEST);
    }

    /** The end of a block, from the pane with this number on, and the next shorter one that differs. */
    private record End<A>(long from, A accumulator, @Nullable End<A> shorter) {}

    /** What is kept for one key. */
    private static final class Running<A> {

        /** The number of the first pane of the second block. */
        final long border;

        @Nullable
        End<A> end;

        @Nullable
        A beginning;

        /** The number of the first pane that is not in the beginning. */
        long next;

        Running(long border) {
            this.border = border;
            this.next = border;
        }
    }

    /** The panes of a window by number, in two blocks. */
    private final class Blocks {

        private long from = Long.MIN_VALUE;
        private long to = Long.MIN_VALUE;
        private long border = Long.MIN_VALUE;

        /** By place in the block. */
        private @Nullable SlotPane<T, A>[] first = newBlock();

        private @Nullable SlotPane<T, A>[] second = newBlock();

        @SuppressWarnings({"unchecked", "rawtypes"}) // an array of a generic type
        private @Nullable SlotPane<T, A>[] newBlock() {
            return new SlotPane[length];
        }

        void begin(TimeWindow window) {
            long before = from;
            long known = to;
            from = panes.number(window.start());
            to = from + length;
            long next = -Math.floorDiv(-from, length) * length;
            if (next == border) {
                Arrays.fill(first, firstPlace(before), firstPlace(from), null);
                panes.between(panes.startOf(Math.max(known, from)), window.end())
                        .forEach(this::put);
            } else {
                border = next;
                first = newBlock();
                second = newBlock();
                panes.between(window.start(), window.end()).forEach(this::put);
            }
        }

        private int firstPlace(long number) {
            return (int) (number - border + length);
        }

        /** Notes a pane, if the window has it. */
        void put(SlotPane<T, A> pane) {
            long number = panes.number(pane.start);
            if (number >= border && number < to) {
                second[(int) (number - border)] = pane;
            } else if (number >= from && number < border) {
                first[firstPlace(number)] = pane;
            }
        }

        /** Brings {@code kept}, of an earlier window, up to date with this one, or makes it anew. */
        Running<A> update(@Nullable Running<A> kept, int slot) {
            Running<A> updated = kept;
            if (updated == null || updated.border != border) {
                updated = new Running<>(border);
                updated.end = ends(slot);
            }
            while (updated.end != null && updated.end.from < from) {
                updated.end = updated.end.shorter;
            }
            for (; updated.next < to; updated.next++) {
                A accumulator = get(second[(int) (updated.next - border)], slot);
                if (accumulator != null) {
                    updated.beginning =
                            updated.beginning == null ? copy(accumulator) : merge(updated.beginning, accumulator);
                }
            }
            return updated;
        }

        private @Nullable End<A> ends(int slot) {
            End<A> end = null;
            for (long number = border - 1; number >= from; number--) {
                A accumulator = get(first[firstPlace(number)], slot);
                if (accumulator != null) {
                    end = new End<>(number, end == null ? accumulator : merge(copy(accumulator), end.accumulator), end);
                }
            }
            return end;
        }

        private @Nullable A get(@Nullable SlotPane<T, A> pane, int slot) {
            return pane == null ? null : pane.get(slot);
        }
    }
}
