package io.fluxmark.quickstart.plain;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/** Where a key goes: the 32-bit murmur2 hash that Kafka's clients use, modulo the number of partitions. */
public final class PlainPartitions {

    private static final int MULTIPLIER = 0x5bd1e995;
    private static final int SEED = 0x9747b28c;

    private final int partitions;
    private final Map<String, Integer> known = new HashMap<>();

    public PlainPartitions(int partitions) {
        if (partitions < 1) {
            throw new IllegalArgumentException("partitions is " + partitions + ": use at least 1.");
        }
        this.partitions = partitions;
    }

    /** The partition of a key, 0 up to the count less one. */
    public int of(String key) {
        return known.computeIfAbsent(
                key, k -> (murmur2(k.getBytes(StandardCharsets.UTF_8)) & Integer.MAX_VALUE) % partitions);
    }

    /** How many there are. */
    public int count() {
        return partitions;
    }

    static int murmur2(byte[] data) {
        int hash = SEED ^ data.length;
        int whole = data.length & ~3;
        for (int i = 0; i < whole; i += 4) {
            int word = (data[i] & 0xff)
                    | (data[i + 1] & 0xff) << 8
                    | (data[i + 2] & 0xff) << 16
                    | (data[i + 3] & 0xff) << 24;
            word *= MULTIPLIER;
            word ^= word >>> 24;
            word *= MULTIPLIER;
            hash = hash * MULTIPLIER ^ word;
        }
        int tail = data.length - whole;
        if (tail > 0) {
            for (int i = tail - 1; i >= 0; i--) {
                hash ^= (data[whole + i] & 0xff) << (8 * i);
            }
            hash *= MULTIPLIER;
        }
        hash ^= hash >>> 13;
        hash *= MULTIPLIER;
        return hash ^ hash >>> 15;
    }
}
