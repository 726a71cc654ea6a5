package io.fluxmark.windows;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * A list for each key, in a lane: the number of its elements, and pieces of {@value #PIECE} of them, of which adding changes
 * the last. The time-to-live is that of the number.
 */
final class KeyedList<K, E> implements ListState<E>, KeyedState<ListState<E>> {

    static final int PIECE = 64;

    private final Moment<K> moment;
    private final Cells<K, Long> sizes;
    private final Cells<SubKey<K, Long>, List<E>> pieces;

    KeyedList(StatePlace<K> place, Codec<E> elements, long timeToLive) {
        this.moment = place.moment();
        this.sizes = new Cells<>(
                place, place.name(), place.keys(), Codec.longs(), timeToLive, size -> size, this::removeAll);
        this.pieces = new Cells<>(
                place,
                place.name() + "/pieces",
                new SubKeyCodec<>(place.keys(), KeyCodec.tagged(Long.class)),
                new ElementsCodec<>(elements),
                StateDescriptor.NONE,
                ArrayList::new,
                piece -> {});
    }

    private static long sizeOf(StateCell<Long> cell) {
        Long size = cell.value;
        return size == null ? 0 : size;
    }

    @Override
    public void add(E element) {
        Objects.requireNonNull(element, "element");
        K key = moment.key();
        StateCell<Long> size = sizes.write(key);
        if (size == null) {
            return;
        }
        long number = sizeOf(size);
        size.value = number + 1;
        StateCell<List<E>> cell = pieces.update(new SubKey<>(key, number / PIECE));
        List<E> piece = cell.value;
        if (piece == null) {
            piece = new ArrayList<>(2);
            cell.value = piece;
        }
        piece.add(element);
    }

    @Override
    public long size() {
        Long size = sizes.live(moment.key());
        return size == null ? 0 : size;
    }

    @Override
    public void forEach(Consumer<? super E> action) {
        K key = moment.key();
        long size = size();
        for (long number = 0; number < size; number += PIECE) {
            StateCell<List<E>> cell = pieces.find(new SubKey<>(key, number / PIECE));
            List<E> piece = cell == null ? null : cell.value;
            int shown = (int) Math.min(PIECE, size - number);
            if (piece == null || piece.size() < shown) {
                throw new IllegalStateException("the list of key " + key + " was cleared while it was walked over");
            }
            for (int i = 0; i < shown; i++) {
                action.accept(piece.get(i));
            }
        }
    }

    @Override
    public List<E> get() {
        List<E> all = new ArrayList<>();
        forEach(all::add);
        return all;
    }

    @Override
    public void clear() {
        K key = moment.key();
        StateCell<Long> size = sizes.find(key);
        if (size != null) {
            sizes.countIfOver(size);
            removeAll(key);
        }
    }

    private void removeAll(K key) {
        StateCell<Long> cell = sizes.find(key);
        long size = cell == null ? 0 : sizeOf(cell);
        for (long number = 0; number < size; number += PIECE) {
            pieces.remove(new SubKey<>(key, number / PIECE));
        }
        sizes.remove(key);
    }

    @Override
    public ListState<E> handle() {
        return this;
    }

    @Override
    public long entries() {
        return sizes.size() + pieces.size();
    }

    @Override
    public long deadlines() {
        return sizes.deadlines();
    }

    @Override
    public boolean isDue(long watermark) {
        return sizes.isDue(watermark);
    }

    @Override
    public void sweep(long watermark) {
        sizes.sweep(watermark);
        if (sizes.size() == 0) {
            pieces.clear();
        }
    }

    @Override
    public void flush(StateTransaction transaction) {
        sizes.flush(transaction);
        pieces.flush(transaction);
    }
}
