package io.fluxmark.sinks;

import io.fluxmark.state.KeyBytes;
import io.fluxmark.state.StoreEntry;
import io.fluxmark.state.StoreSnapshot;
import io.fluxmark.state.StoreTable;
import io.fluxmark.windows.TimeWindow;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;

/**
 * The rows of a table in {@link StoreTable#ROWS}: behind the table's name by the end of the window, its start, and the key. So
 * the keys of a window lie together, and a range of windows; the windows of a key do not.
 */
final class TableRows {

    /** So many rows are read at once where windows have few keys. */
    private static final int LONGEST_RUN = 64;

    /** So many where they have many, of which most would be read in vain. */
    private static final int SHORTEST_RUN = 2;

    private TableRows() {}

    static byte[] key(String table, TimeWindow window, byte[] key) {
        return window(table, window).addRaw(key).toBytes();
    }

    private static KeyBytes window(String table, TimeWindow window) {
        return KeyBytes.key().add(table).add(window.end()).add(window.start());
    }

    /**
     * The rows of windows that lie within a span of time, by end, start and key. Cold; reads what is requested.
     *
     * @param within what windows have to lie in
     * @param key the only key wanted, or null for all
     */
    static Flux<StoredResult> read(StoreSnapshot snapshot, String table, TimeWindow within, byte @Nullable [] key) {
        byte[] from = KeyBytes.key().add(table).add(within.start()).toBytes();
        byte[] to = within.end() == Long.MAX_VALUE
                ? RowNames.end(table)
                : KeyBytes.key().add(table).add(within.end() + 1).toBytes();
        Flux<StoreEntry> entries =
                key == null ? snapshot.read(StoreTable.ROWS, from, to) : ofKey(snapshot, table, from, to, key);
        return entries.map(entry -> StoredResult.of(entry.value()))
                .filter(result -> result.window().start() >= within.start());
    }

    /** The rows of one window, by key. */
    static Flux<StoredResult> readWindow(
            StoreSnapshot snapshot, String table, TimeWindow window, byte @Nullable [] key) {
        byte[] from =
                window(table, window).addRaw(key == null ? new byte[0] : key).toBytes();
        byte[] to = key == null ? KeyBytes.endOfPrefix(from) : KeyBytes.successor(from);
        return snapshot.read(StoreTable.ROWS, from, to).map(entry -> StoredResult.of(entry.value()));
    }

    private static Flux<StoreEntry> ofKey(StoreSnapshot snapshot, String table, byte[] from, byte[] to, byte[] key) {
        int windowBytes = RowNames.prefix(table).length + 2 * Long.BYTES;
        return Flux.generate(() -> new KeyWalk(snapshot, windowBytes, from, to, key), (walk, sink) -> {
            StoreEntry next = walk.next();
            if (next == null) {
                sink.complete();
            } else {
                sink.next(next);
            }
            return walk;
        });
    }

    /**
     * Goes from window to window and seeks the key in each: where windows have many keys, it costs two seeks for each window
     * and not a step for each row; where they have few, as sessions, it reads along.
     */
    private static final class KeyWalk {

        private final StoreSnapshot snapshot;
        private final int windowBytes;
        private final byte[] to;
        private final byte[] key;
        private Iterator<StoreEntry> run = List.<StoreEntry>of().iterator();
        private int size = SHORTEST_RUN;
        private byte @Nullable [] from;

        KeyWalk(StoreSnapshot snapshot, int windowBytes, byte[] from, byte[] to, byte[] key) {
            this.snapshot = snapshot;
            this.windowBytes = windowBytes;
            this.from = from;
            this.to = to;
            this.key = key;
        }

        @Nullable
        StoreEntry next() {
            while (true) {
                while (run.hasNext()) {
                    StoreEntry entry = run.next();
                    if (compareKey(entry) == 0) {
                        return entry;
                    }
                }
                byte[] start = from;
                if (start == null || KeyBytes.compare(start, to) >= 0) {
                    return null;
                }
                List<StoreEntry> entries = snapshot.scan(StoreTable.ROWS, start, to, size);
                run = entries.iterator();
                if (entries.size() < size) {
                    from = null;
                } else {
                    StoreEntry last = entries.get(size - 1);
                    from = behind(last);
                    size = isSameWindow(entries.get(0), last) ? SHORTEST_RUN : Math.min(2 * size, LONGEST_RUN);
                }
            }
        }

        private boolean isSameWindow(StoreEntry one, StoreEntry other) {
            return Arrays.equals(one.key(), 0, windowBytes, other.key(), 0, windowBytes);
        }

        private int compareKey(StoreEntry entry) {
            return Arrays.compareUnsigned(entry.key(), windowBytes, entry.key().length, key, 0, key.length);
        }

        /** Where the key can be next: in the same window, or else in those behind it. */
        private byte @Nullable [] behind(StoreEntry entry) {
            byte[] window = Arrays.copyOf(entry.key(), windowBytes);
            return compareKey(entry) < 0
                    ? KeyBytes.key().addRaw(window).addRaw(key).toBytes()
                    : KeyBytes.endOfPrefix(window);
        }
    }
}
