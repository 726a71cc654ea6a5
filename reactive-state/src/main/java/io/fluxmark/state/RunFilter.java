package io.fluxmark.state;

import java.nio.ByteBuffer;

/**
 * A Bloom filter over a known number of keys, stored with its run: about 1 in 100 keys that are not there seem to be. Not
 * thread-safe.
 */
final class RunFilter {

    private static final int BITS_PER_KEY = 10;
    private static final int PROBES = 7;

    private final long[] bits;

    private RunFilter(long[] bits) {
        this.bits = bits;
    }

    static RunFilter forKeys(int keys) {
        long longs = ((long) Math.max(1, keys) * BITS_PER_KEY + Long.SIZE - 1) / Long.SIZE;
        return new RunFilter(new long[Math.toIntExact(longs)]);
    }

    static RunFilter of(ByteBuffer stored) {
        long[] bits = new long[stored.remaining() / Long.BYTES];
        stored.asLongBuffer().get(bits);
        return new RunFilter(bits);
    }

    void writeTo(ByteBuffer out) {
        for (long word : bits) {
            out.putLong(word);
        }
    }

    void add(byte[] key) {
        long hash = KeyFilter.hash(key);
        for (int probe = 0; probe < PROBES; probe++) {
            long bit = bit(hash, probe);
            bits[(int) (bit >>> 6)] |= 1L << bit;
        }
    }

    /** @param hash {@link KeyFilter#hash} of the key */
    boolean mightContain(long hash) {
        for (int probe = 0; probe < PROBES; probe++) {
            long bit = bit(hash, probe);
            if ((bits[(int) (bit >>> 6)] & (1L << bit)) == 0) {
                return false;
            }
        }
        return true;
    }

    int bytes() {
        return bits.length * Long.BYTES;
    }

    private long bit(long hash, int probe) {
        long mixed = hash + probe * ((hash >>> 32) | 1) * 0x9E3779B97F4A7C15L;
        return Long.remainderUnsigned(mixed, (long) bits.length * Long.SIZE);
    }
}
