package io.fluxmark.windows;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One pane on the heap: a hash table of chained entries, sorted when a walk begins.
 *
 * <p>The entries are the links of the chains. Where there are many keys, finding one costs cache misses and little else,
 * and a table of {@code HashMap} nodes would add one to each event. A chain is bounded: keys that collide beyond that go
 * to a {@code HashMap}, which keeps its own bounds then.
 */
final class HeapPane<K, A> extends Pane<K, A> {

    private static final int FEWEST_SLOTS = 16;
    private static final int MOST_SLOTS = 1 << 30;
    private static final int LONGEST_CHAIN = 16;

    private final Comparator<PaneEntry<K, A>> order;

    /** The first entries of the chains; a power of two long. */
    private @Nullable PaneEntry<K, A>[] table;

    private int tableSize;
    private @Nullable HashMap<K, PaneEntry<K, A>> overflow;

    HeapPane(long start, long end, Comparator<PaneEntry<K, A>> order, long expectedKeys) {
        super(start, end);
        this.order = order;
        int slots = FEWEST_SLOTS;
        while (slots < expectedKeys && slots < MOST_SLOTS) {
            slots *= 2;
        }
        this.table = newTable(slots);
    }

    @SuppressWarnings({"unchecked", "rawtypes"}) // an array of a generic type
    private static <K, A> @Nullable PaneEntry<K, A>[] newTable(int slots) {
        return new PaneEntry[slots];
    }

    private static int hash(Object key) {
        int hash = key.hashCode();
        return hash ^ (hash >>> 16);
    }

    @Override
    public PaneEntry<K, A> update(K key) {
        int hash = hash(key);
        int length = 0;
        for (PaneEntry<K, A> e = table[hash & (table.length - 1)]; e != null; e = e.next) {
            if (e.hash == hash && e.key.equals(key)) {
                return e;
            }
            length++;
        }
        return length < LONGEST_CHAIN && overflow == null ? link(key, hash) : updateOverflow(key, hash, length);
    }

    private PaneEntry<K, A> link(K key, int hash) {
        if (tableSize >= table.length && table.length < MOST_SLOTS) {
            grow();
        }
        PaneEntry<K, A> entry = new PaneEntry<>(key);
        int slot = hash & (table.length - 1);
        entry.hash = hash;
        entry.next = table[slot];
        table[slot] = entry;
        tableSize++;
        return entry;
    }

    private PaneEntry<K, A> updateOverflow(K key, int hash, int length) {
        HashMap<K, PaneEntry<K, A>> colliding = overflow;
        if (colliding == null) {
            colliding = new HashMap<>();
            overflow = colliding;
        }
        PaneEntry<K, A> entry = colliding.get(key);
        if (entry == null) {
            if (length < LONGEST_CHAIN) {
                return link(key, hash);
            }
            entry = new PaneEntry<>(key);
            colliding.put(key, entry);
        }
        return entry;
    }

    private void grow() {
        @Nullable PaneEntry<K, A>[] old = table;
        table = newTable(old.length * 2);
        for (PaneEntry<K, A> first : old) {
            PaneEntry<K, A> entry = first;
            while (entry != null) {
                PaneEntry<K, A> next = entry.next;
                int slot = entry.hash & (table.length - 1);
                entry.next = table[slot];
                table[slot] = entry;
                entry = next;
            }
        }
    }

    @Override
    public @Nullable PaneEntry<K, A> find(K key) {
        int hash = hash(key);
        for (PaneEntry<K, A> e = table[hash & (table.length - 1)]; e != null; e = e.next) {
            if (e.hash == hash && e.key.equals(key)) {
                return e;
            }
        }
        return overflow == null ? null : overflow.get(key);
    }

    /**
     * The entries of the first {@code count} of {@code keys}, or null where there is none or it lies apart. One step of all
     * look-ups is done before the next, so that they wait for memory at the same time.
     */
    @Nullable
    PaneEntry<K, A>[] findAll(@Nullable Object[] keys, int count) {
        int[] hashes = new int[count];
        @Nullable PaneEntry<K, A>[] entries = newTable(count);
        for (int i = 0; i < count; i++) {
            hashes[i] = hash(Objects.requireNonNull(keys[i], "key"));
            entries[i] = table[hashes[i] & (table.length - 1)];
        }
        for (PaneEntry<K, A> entry : entries) {
            Cache.touch(entry);
        }
        for (int i = 0; i < count; i++) {
            PaneEntry<K, A> entry = entries[i];
            while (entry != null && entry.hash != hashes[i]) {
                entry = entry.next;
            }
            entries[i] = entry;
            Cache.touch(entry == null ? null : entry.key);
        }
        for (int i = 0; i < count; i++) {
            PaneEntry<K, A> entry = entries[i];
            if (entry != null && !entry.key.equals(keys[i])) {
                entries[i] = null; // another key of the same hash: a look-up of its own may find what there is
            }
        }
        return entries;
    }

    @Override
    public void remove(K key) {
        int hash = hash(key);
        int slot = hash & (table.length - 1);
        PaneEntry<K, A> before = null;
        for (PaneEntry<K, A> e = table[slot]; e != null; e = e.next) {
            if (e.hash == hash && (e.key == key || e.key.equals(key))) { // mostly the very object: no need to read it
                if (before == null) {
                    table[slot] = e.next;
                } else {
                    before.next = e.next;
                }
                tableSize--;
                return;
            }
            before = e;
        }
        if (overflow != null) {
            overflow.remove(key);
        }
    }

    @Override
    public Walk<K, A> walk() {
        ArrayList<PaneEntry<K, A>> sorted = new ArrayList<>((int) size());
        for (PaneEntry<K, A> first : table) {
            for (PaneEntry<K, A> e = first; e != null; e = e.next) {
                sorted.add(e);
            }
        }
        if (overflow != null) {
            sorted.addAll(overflow.values());
        }
        sorted.sort(order);
        return new ListWalk<>(sorted);
    }

    @Override
    public long size() {
        return (long) tableSize + (overflow == null ? 0 : overflow.size());
    }

    private static final class ListWalk<K, A> implements Pane.Walk<K, A> {

        private final List<PaneEntry<K, A>> entries;
        private int next;

        ListWalk(List<PaneEntry<K, A>> entries) {
            this.entries = entries;
        }

        @Override
        public boolean next(List<PaneEntry<K, A>> into, int limit) {
            int end = Math.min(entries.size(), next + limit);
            if (next == end) {
                return false;
            }
            into.addAll(entries.subList(next, end));
            next = end;
            return true;
        }
    }
}
