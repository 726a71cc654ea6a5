package io.fluxmark.state;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.h2.mvstore.Cursor;
import org.h2.mvstore.MVMap;
import org.jspecify.annotations.Nullable;

/** Reads a bounded run of a table's visible entries; a longer walk asks again from the last key on. */
final class RangePage {

    private RangePage() {}

    /**
     * The first visible entries of {@code [from, to)} in key order.
     *
     * @param strip how many bytes of internal prefix to take off each key
     */
    static List<StoreEntry> read(
            MVMap<byte[], byte[]> map,
            StoreTable table,
            DropIndex drops,
            AheadIndex ahead,
            byte[] from,
            byte @Nullable [] to,
            int limit,
            int strip) {
        List<StoreEntry> entries = new ArrayList<>();
        Cursor<byte[], byte[]> cursor = map.cursor(from);
        while (entries.size() < limit && cursor.hasNext()) {
            byte[] key = cursor.next();
            if (to != null && KeyBytes.compare(key, to) >= 0) {
                break;
            }
            DropIndex.Range hidden = drops.covering(table, key);
            if (hidden != null) {
                cursor = map.cursor(hidden.to());
                continue;
            }
            byte[] frame = Objects.requireNonNull(cursor.getValue(), "frame");
            byte[] value = ahead.open(table, key, frame);
            if (value != null) {
                entries.add(new StoreEntry(Arrays.copyOfRange(key, strip, key.length), value));
            }
        }
        return entries;
    }
}
