package io.fluxmark.log;

import java.util.Objects;

/** Chooses partitions by key exactly as Apache Kafka's default partitioner does. */
public final class Partitioner {

    private static final int SEED = 0x9747b28c;
    private static final int M = 0x5bd1e995;
    private static final int R = 24;

    private Partitioner() {}

    /**
     * The partition of a key: {@code (murmur2(key) & 0x7fffffff) % partitions}.
     *
     * @param partitions at least 1
     */
    public static int partitionFor(byte[] key, int partitions) {
        if (partitions < 1) {
            throw new IllegalArgumentException("partitions must be at least 1 but was " + partitions);
        }
        return (murmur2(key) & 0x7fffffff) % partitions;
    }

    /** The 32-bit murmur2 hash with Kafka's seed. */
    public static int murmur2(byte[] data) {
        int length = Objects.requireNonNull(data, "data").length;
        int h = SEED ^ length;
        int words = length & ~3;
        for (int i = 0; i < words; i += 4) {
            int k = (data[i] & 0xff)
                    | (data[i + 1] & 0xff) << 8
                    | (data[i + 2] & 0xff) << 16
                    | (data[i + 3] & 0xff) << 24;
            k *= M;
            k ^= k >>> R;
            k *= M;
            h *= M;
            h ^= k;
        }
        int rest = length - words;
        if (rest == 3) {
            h ^= (data[words + 2] & 0xff) << 16;
        }
        if (rest >= 2) {
            h ^= (data[words + 1] & 0xff) << 8;
        }
        if (rest >= 1) {
            h ^= data[words] & 0xff;
            h *= M;
        }
        h ^= h >>> 13;
        h *= M;
        h ^= h >>> 15;
        return h;
    }
}
