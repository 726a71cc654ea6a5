package io.fluxmark.experiments.sessions;

import io.fluxmark.experiments.measure.Figures;
import io.fluxmark.experiments.measure.Playback;
import io.fluxmark.experiments.measure.Table;
import java.lang.management.ManagementFactory;

/** Live heap, after a full collection, against the entries held by sessions that nothing closes. */
final class HeapPerEntry {

    static final String BYTES = "bytes_per_entry";

    private HeapPerEntry() {}

    /**
     * Measures.
     *
     * @param most entries
     * @param step between two measurements
     */
    static Table measure(OneShotKeys input, long most, long step) {
        Table table = new Table("entries", "live_heap_bytes", BYTES);
        Playback<Long> playback = new Playback<>();
        playback.run(input.pipeline(playback, OneShotKeys.sessions(), live -> {}), result -> {});
        long empty = liveHeap();
        for (long key = 0; key < most; key++) {
            input.feed(playback, key);
            if ((key + 1) % step == 0) {
                long entries = playback.stateEntries();
                long held = liveHeap() - empty;
                table.row(entries, held, Figures.decimal((double) held / entries, 0));
            }
        }
        playback.cancel();
        return table;
    }

    private static long liveHeap() {
        System.gc();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
    }
}
