package io.fluxmark.state;

import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The entries below one prefix of a lane's state, in order, a bounded number at a time: it remembers the last key and seeks
 * again, so no store cursor stays open between calls. Confined to the lane.
 */
final class EntryScan {

    static final int RUN = 256;

    private final LaneSession session;
    private final byte[] prefix;
    private final byte @Nullable [] end;
    private final int age;
    private byte[] from;
    private Iterator<StoreEntry> page = List.<StoreEntry>of().iterator();
    private boolean last;
    private @Nullable StoreEntry current;
    private byte[] key = new byte[0];

    /** @param age among scans of the same keys, the smallest has the newest values */
    EntryScan(LaneSession session, byte[] prefix, int age) {
        this.session = session;
        this.prefix = prefix;
        this.age = age;
        end = KeyBytes.endOfPrefix(prefix);
        from = prefix;
        advance();
    }

    /** Whether there is an entry. */
    boolean hasEntry() {
        return current != null;
    }

    /** The key of the entry behind the prefix. */
    byte[] key() {
        return key;
    }

    byte[] value() {
        StoreEntry entry = current;
        if (entry == null) {
            throw new IllegalStateException("The scan is at its end");
        }
        return entry.value();
    }

    void advance() {
        if (!page.hasNext() && !last) {
            List<StoreEntry> entries = session.scan(StoreTable.STATE, from, end, RUN);
            last = entries.size() < RUN;
            if (!last) {
                from = KeyBytes.successor(entries.get(RUN - 1).key());
            }
            page = entries.iterator();
        }
        StoreEntry next = page.hasNext() ? page.next() : null;
        current = next;
        if (next != null) {
            key = PaneKeys.withoutPrefix(next.key(), prefix);
        }
    }

    /** By key, the newest of equal ones first. */
    static int compare(EntryScan one, EntryScan two) {
        int order = KeyBytes.compare(one.key, two.key);
        return order != 0 ? order : Integer.compare(one.age, two.age);
    }
}
