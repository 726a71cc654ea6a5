package io.fluxmark.windows;

import org.jspecify.annotations.Nullable;

/** Checks that keys belong to a lane, and remembers some that do. Confined to the lane. */
final class KnownKeys {

    /** How many are remembered; a power of two. */
    private static final int KNOWN = 1024;

    private final LaneContext lane;
    private final @Nullable Object[] known = new Object[KNOWN];

    KnownKeys(LaneContext lane) {
        this.lane = lane;
    }

    /** Throws an {@link IllegalStateException} where the key belongs to another lane. */
    void require(Object key) {
        int hash = key.hashCode();
        int place = (hash ^ (hash >>> 16)) & (KNOWN - 1);
        if (!key.equals(known[place])) {
            lane.checkKey(key);
            known[place] = key;
        }
    }
}
