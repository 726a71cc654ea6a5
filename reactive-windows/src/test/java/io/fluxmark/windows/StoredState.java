package io.fluxmark.windows;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * State as a store keeps it, strictly: what was asked for by {@code update} is serialised at the next barrier, all else is
 * read anew from its bytes each time it is asked for. A change of an entry that was only looked at is lost, and so is a
 * change after the barrier.
 */
final class StoredState implements StateBackend {

    private final Map<String, long[]> longs;
    private final Map<String, Map<Long, Map<String, byte[]>>> stored;

    StoredState() {
        this(new HashMap<>(), new HashMap<>());
    }

    private StoredState(Map<String, long[]> longs, Map<String, Map<Long, Map<String, byte[]>>> stored) {
        this.longs = longs;
        this.stored = stored;
    }

    /** What a new subscription finds: all that barriers have taken, and nothing else. */
    StoredState restarted() {
        return new StoredState(longs, stored);
    }

    /** Begins the transaction of a barrier. */
    StateTransaction begin() {
        return new StateTransaction() {
            @Override
            public long id() {
                return 1;
            }

            @Override
            public void longs(String operator, String name, long[] values) {
                longs.put(operator + " " + name, values.clone());
            }
        };
    }

    @Override
    public long @Nullable [] longs(String operator, String name) {
        return longs.get(operator + " " + name);
    }

    /** How many entries of an operator the barriers have left. */
    int entries(String operator) {
        return stored.getOrDefault(operator, new TreeMap<>()).values().stream()
                .mapToInt(Map::size)
                .sum();
    }

    /** How many panes of an operator the barriers have left. */
    int panes(String operator) {
        return stored.getOrDefault(operator, new TreeMap<>()).size();
    }

    @Override
    public <K, A> PaneStore<K, A> panes(
            String operator, KeyCodec<K> keys, @Nullable Codec<A> accumulators, @Nullable Codec<?> emitted) {
        if (accumulators == null) {
            throw new IllegalArgumentException(operator + " has no codec");
        }
        Panes<K, A> panes = new Panes<>(keys, accumulators, stored.computeIfAbsent(operator, o -> new TreeMap<>()));
        return panes;
    }

    private static final class Panes<K, A> implements PaneStore<K, A> {

        private final KeyCodec<K> keys;
        private final Codec<A> codec;
        private final Map<Long, Map<String, byte[]>> stored;
        private final TreeMap<Long, StoredPane<K, A>> panes = new TreeMap<>();

        Panes(KeyCodec<K> keys, Codec<A> codec, Map<Long, Map<String, byte[]>> stored) {
            this.keys = keys;
            this.codec = codec;
            this.stored = stored;
            stored.forEach((start, entries) -> {
                StoredPane<K, A> pane = new StoredPane<>(start, keys, codec);
                pane.bytes.putAll(entries);
                entries.keySet().forEach(key -> pane.keys.put(key, keys.decode(latin(key))));
                panes.put(start, pane);
            });
        }

        @Override
        public Pane<K, A> open(long start, long end) {
            return panes.computeIfAbsent(start, s -> new StoredPane<>(s, keys, codec));
        }

        @Override
        public @Nullable Pane<K, A> find(long start) {
            return panes.get(start);
        }

        @Override
        public @Nullable Pane<K, A> floor(long instant) {
            Map.Entry<Long, StoredPane<K, A>> entry = panes.floorEntry(instant);
            return entry == null ? null : entry.getValue();
        }

        @Override
        public @Nullable Pane<K, A> first() {
            return panes.isEmpty() ? null : panes.firstEntry().getValue();
        }

        @Override
        public @Nullable Pane<K, A> after(long start) {
            Map.Entry<Long, StoredPane<K, A>> entry = panes.higherEntry(start);
            return entry == null ? null : entry.getValue();
        }

        @Override
        public void drop(Pane<K, A> pane) {
            if (panes.remove(pane.start()) != pane) {
                throw new IllegalArgumentException("not a pane of this store: " + pane.start());
            }
        }

        @Override
        public void flush(StateTransaction transaction) {
            stored.clear();
            panes.forEach((start, pane) -> stored.put(start, pane.flush()));
        }

        @Override
        public int paneCount() {
            return panes.size();
        }

        @Override
        public long entryCount() {
            return panes.values().stream().mapToLong(Pane::size).sum();
        }
    }

    private static String latin(byte[] bytes) {
        return new String(bytes, java.nio.charset.StandardCharsets.ISO_8859_1);
    }

    private static byte[] latin(String text) {
        return text.getBytes(java.nio.charset.StandardCharsets.ISO_8859_1);
    }

    private static final class StoredPane<K, A> extends Pane<K, A> {

        private final KeyCodec<K> codec;
        private final Codec<A> accumulators;
        private final TreeMap<String, K> keys = new TreeMap<>();
        private final Map<String, byte[]> bytes = new HashMap<>();
        private final Map<String, PaneEntry<K, A>> changing = new HashMap<>();

        StoredPane(long start, KeyCodec<K> codec, Codec<A> accumulators) {
            super(start, Long.MAX_VALUE);
            this.codec = codec;
            this.accumulators = accumulators;
        }

        @Override
        public PaneEntry<K, A> update(K key) {
            String encoded = latin(codec.encode(key));
            PaneEntry<K, A> entry = changing.get(encoded);
            if (entry == null) {
                entry = keys.containsKey(encoded) ? read(encoded) : new PaneEntry<>(key);
                keys.put(encoded, key);
                changing.put(encoded, entry);
            }
            return entry;
        }

        @Override
        public @Nullable PaneEntry<K, A> find(K key) {
            String encoded = latin(codec.encode(key));
            PaneEntry<K, A> entry = changing.get(encoded);
            return entry != null ? entry : keys.containsKey(encoded) ? read(encoded) : null;
        }

        @Override
        public void remove(K key) {
            String encoded = latin(codec.encode(key));
            keys.remove(encoded);
            bytes.remove(encoded);
            changing.remove(encoded);
        }

        @Override
        public Walk<K, A> walk() {
            Iterator<String> rest = new ArrayList<>(keys.keySet()).iterator();
            return (into, limit) -> {
                int added = 0;
                while (added < limit && rest.hasNext()) {
                    String encoded = rest.next();
                    if (keys.containsKey(encoded)) {
                        PaneEntry<K, A> entry = changing.get(encoded);
                        into.add(entry == null ? read(encoded) : entry);
                        added++;
                    }
                }
                return added > 0;
            };
        }

        @Override
        public long size() {
            return keys.size();
        }

        private PaneEntry<K, A> read(String encoded) {
            ByteBuffer in = ByteBuffer.wrap(bytes.get(encoded));
            PaneEntry<K, A> entry = new PaneEntry<>(keys.get(encoded));
            entry.count = in.getLong();
            entry.late = in.getLong();
            entry.revision = in.getInt();
            if (in.get() != 0) {
                byte[] accumulator = new byte[in.remaining()];
                in.get(accumulator);
                entry.accumulator = accumulators.decode(accumulator);
            }
            return entry;
        }

        /** What is stored from now on. */
        Map<String, byte[]> flush() {
            changing.forEach((encoded, entry) -> bytes.put(encoded, write(entry)));
            changing.clear();
            Map<String, byte[]> all = new TreeMap<>();
            bytes.forEach((encoded, value) -> all.put(encoded, value.clone()));
            return all;
        }

        private byte[] write(PaneEntry<K, A> entry) {
            A accumulator = entry.accumulator;
            byte[] encoded = accumulator == null ? new byte[0] : accumulators.encode(accumulator);
            return ByteBuffer.allocate(encoded.length + 21)
                    .putLong(entry.count)
                    .putLong(entry.late)
                    .putInt(entry.revision)
                    .put((byte) (accumulator == null ? 0 : 1))
                    .put(encoded)
                    .array();
        }
    }

    /** A lane over this state. */
    LaneContext lane() {
        return new LaneContext() {
            @Override
            public StateBackend state() {
                return StoredState.this;
            }

            @Override
            public reactor.core.scheduler.Scheduler clock() {
                return reactor.core.scheduler.Schedulers.parallel();
            }

            @Override
            public void counters(String operator, LiveCounters counters) {
                // the caller of the operator has them
            }
        };
    }

    /** A barrier that takes what has changed. */
    <T> CheckpointBarrier<T> barrier() {
        return new CheckpointBarrier<>(begin(), List.of(), false);
    }
}
