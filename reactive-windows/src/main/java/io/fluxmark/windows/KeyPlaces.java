package io.fluxmark.windows;

import org.jspecify.annotations.Nullable;

/** Checks that keys belong to a lane, and remembers some of those that do. Confined to the lane. */
final class KeyPlaces<K> {

    /** How many keys are remembered; a power of two. */
    private static final int KNOWN = 1024;

    private final LaneContext lane;
    private final @Nullable Object[] known = new Object[KNOWN];

    KeyPlaces(LaneContext lane) {
        this.lane = lane;
    }

    /** Throws where {@code key} is found to belong to another lane. */
    void require(K key) {
        int hash = key.hashCode();
        int place = (hash ^ (hash >>> 16)) & (KNOWN - 1);
        if (!key.equals(known[place])) {
            lane.checkKey(key);
            known[place] = key;
        }
    }
}
