package io.fluxmark.state;

import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/** Several scans of the same keys as one: of each key the newest value, removals too. Confined to the lane. */
final class MergedScan {

    private final PriorityQueue<EntryScan> scans = new PriorityQueue<>(EntryScan::compare);

    MergedScan(List<EntryScan> scans) {
        for (EntryScan scan : scans) {
            if (scan.hasEntry()) {
                this.scans.add(scan);
            }
        }
    }

    /** The next key and its newest value, or null at the end. */
    @Nullable
    StoreEntry next() {
        EntryScan first = scans.poll();
        if (first == null) {
            return null;
        }
        StoreEntry entry = new StoreEntry(first.key(), first.value());
        advance(first);
        EntryScan older;
        while ((older = scans.peek()) != null && KeyBytes.compare(older.key(), entry.key()) == 0) {
            advance(scans.remove());
        }
        return entry;
    }

    private void advance(EntryScan scan) {
        scan.advance();
        if (scan.hasEntry()) {
            scans.add(scan);
        }
    }
}
