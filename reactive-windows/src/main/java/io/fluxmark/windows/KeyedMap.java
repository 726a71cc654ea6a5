package io.fluxmark.windows;

import java.util.ConcurrentModificationException;
import java.util.Objects;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A map for each key, in a lane: an entry for each pair of a key and a key of the map, linked in the order of putting, so that
 * a key's map can be walked over wherever entries are kept. The time-to-live is that of entries.
 */
final class KeyedMap<K, M, V> implements MapState<M, V>, KeyedState<MapState<M, V>> {

    private final Moment<K> moment;
    private final Cells<K, MapEnds<M>> ends;
    private final Cells<SubKey<K, M>, MapNode<M, V>> nodes;
    private final boolean expires;

    KeyedMap(StatePlace<K> place, KeyCodec<M> mapKeys, Codec<V> values, long timeToLive) {
        this.moment = place.moment();
        this.expires = timeToLive > 0;
        this.ends = new Cells<>(
                place,
                place.name() + "/ends",
                place.keys(),
                new MapEndsCodec<>(mapKeys),
                StateDescriptor.NONE,
                MapEnds::copy,
                key -> {});
        this.nodes = new Cells<>(
                place,
                place.name(),
                new SubKeyCodec<>(place.keys(), mapKeys),
                new MapNodeCodec<>(mapKeys, values),
                timeToLive,
                MapNode::copy,
                this::unlink);
    }

    @Override
    public @Nullable V get(M mapKey) {
        MapNode<M, V> node = nodes.live(new SubKey<>(moment.key(), Objects.requireNonNull(mapKey, "mapKey")));
        return node == null ? null : node.value;
    }

    @Override
    public void put(M mapKey, V value) {
        Objects.requireNonNull(value, "value");
        K key = moment.key();
        SubKey<K, M> entry = new SubKey<>(key, Objects.requireNonNull(mapKey, "mapKey"));
        StateCell<MapNode<M, V>> cell = nodes.write(entry);
        if (cell == null) {
            return;
        }
        MapNode<M, V> node = cell.value;
        if (node != null) {
            node.value = value;
            return;
        }
        StateCell<MapEnds<M>> head = ends.update(key);
        MapEnds<M> all = head.value;
        if (all == null) {
            cell.value = new MapNode<>(value, null);
            head.value = new MapEnds<>(mapKey);
        } else {
            M last = all.last;
            cell.value = new MapNode<>(value, last);
            all.last = mapKey;
            all.size++;
            // The last use of a cell comes before another one is asked for.
            changing(key, last).after = mapKey;
        }
    }

    private MapNode<M, V> changing(K key, M mapKey) {
        return Objects.requireNonNull(nodes.update(new SubKey<>(key, mapKey)).value, "node");
    }

    @Override
    public void remove(M mapKey) {
        remove(new SubKey<>(moment.key(), Objects.requireNonNull(mapKey, "mapKey")));
    }

    private void remove(SubKey<K, M> entry) {
        StateCell<MapNode<M, V>> cell = nodes.find(entry);
        if (cell != null) {
            nodes.countIfOver(cell);
            unlink(entry);
        }
    }

    /** Removes an entry that there is. */
    private void unlink(SubKey<K, M> entry) {
        K key = entry.key();
        StateCell<MapNode<M, V>> cell = Objects.requireNonNull(nodes.find(entry), "cell");
        MapNode<M, V> node = Objects.requireNonNull(cell.value, "node");
        M before = node.before;
        M after = node.after;
        nodes.remove(entry);
        if (before == null && after == null) {
            ends.remove(key);
            return;
        }
        if (before != null) {
            changing(key, before).after = after;
        }
        if (after != null) {
            changing(key, after).before = before;
        }
        MapEnds<M> all = Objects.requireNonNull(ends.update(key).value, "ends");
        all.size--;
        if (before == null && after != null) {
            all.first = after;
        }
        if (after == null && before != null) {
            all.last = before;
        }
    }

    @Override
    public boolean isEmpty() {
        K key = moment.key();
        M mapKey = first(key);
        while (mapKey != null) {
            StateCell<MapNode<M, V>> cell = cell(key, mapKey);
            if (!nodes.isOver(cell)) {
                return false;
            }
            mapKey = node(cell).after;
        }
        return true;
    }

    @Override
    public long size() {
        if (expires) {
            long[] size = {0};
            forEach((mapKey, value) -> size[0]++);
            return size[0];
        }
        MapEnds<M> all = ends.live(moment.key());
        return all == null ? 0 : all.size;
    }

    @Override
    public void forEach(BiConsumer<? super M, ? super V> action) {
        K key = moment.key();
        M mapKey = first(key);
        while (mapKey != null) {
            StateCell<MapNode<M, V>> cell = cell(key, mapKey);
            M next = node(cell).after;
            if (!nodes.isOver(cell)) {
                action.accept(mapKey, node(cell).value);
                StateCell<MapNode<M, V>> again = nodes.find(new SubKey<>(key, mapKey));
                next = again == null ? next : node(again).after;
            }
            mapKey = next;
        }
    }

    private @Nullable M first(K key) {
        MapEnds<M> all = ends.live(key);
        return all == null ? null : all.first;
    }

    private StateCell<MapNode<M, V>> cell(K key, M mapKey) {
        StateCell<MapNode<M, V>> cell = nodes.find(new SubKey<>(key, mapKey));
        if (cell == null) {
            throw new ConcurrentModificationException("the entry " + mapKey + " of the map of key " + key
                    + " was removed while the one before it was walked over");
        }
        return cell;
    }

    private static <M, V> MapNode<M, V> node(StateCell<MapNode<M, V>> cell) {
        return Objects.requireNonNull(cell.value, "node");
    }

    @Override
    public void clear() {
        K key = moment.key();
        M mapKey = first(key);
        while (mapKey != null) {
            SubKey<K, M> entry = new SubKey<>(key, mapKey);
            StateCell<MapNode<M, V>> cell = cell(key, mapKey);
            mapKey = node(cell).after;
            nodes.countIfOver(cell);
            nodes.remove(entry);
        }
        ends.remove(key);
    }

    @Override
    public MapState<M, V> handle() {
        return this;
    }

    @Override
    public long entries() {
        return ends.size() + nodes.size();
    }

    @Override
    public long deadlines() {
        return nodes.deadlines();
    }

    @Override
    public boolean isDue(long watermark) {
        return nodes.isDue(watermark);
    }

    @Override
    public void sweep(long watermark) {
        nodes.sweep(watermark);
        if (nodes.size() == 0) {
            ends.clear();
        }
    }

    @Override
    public void flush(StateTransaction transaction) {
        ends.flush(transaction);
        nodes.flush(transaction);
    }
}
