package io.fluxmark.experiments.barriers;

/**
 * What changes between two barriers.
 *
 * @param label of it, for tables
 * @param keys in the map
 * @param dirty keys that change, of a random choice about so many
 * @param adjacent whether these lie side by side, as those of a window's pane do
 * @param events from one barrier to the next; what changes none of these keys changes one and the same
 */
record Change(String label, int keys, int dirty, boolean adjacent, int events) {

    /** Without a divisor in common with powers of ten. */
    private static final int STRIDE = 7_919;

    /** The key of the event at an offset: each once, then what changes, spread evenly between two barriers. */
    long key(long offset) {
        if (offset < keys) {
            return offset;
        }
        long inCycle = (offset - keys) % events;
        int every = events / dirty;
        if (inCycle % every != 0) {
            return 0;
        }
        long number = inCycle / every;
        return adjacent ? keys / 2 + number * STRIDE % dirty : mixed(offset) % keys;
    }

    private static long mixed(long offset) {
        long z = (offset + 1) * 0x9E3779B97F4A7C15L;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return (z ^ (z >>> 31)) >>> 1;
    }
}
