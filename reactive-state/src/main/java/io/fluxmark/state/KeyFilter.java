package io.fluxmark.state;

import java.util.ArrayList;
import java.util.List;

/**
 * A Bloom filter that grows: says for certain that a key was never added, and seldom (about 1 in 100) errs the other
 * way. When a layer is full, one of twice the size is begun, so the number of keys need not be known beforehand. Not
 * thread-safe.
 */
final class KeyFilter {

    private static final int FIRST_KEYS = 1024;
    private static final int BITS_PER_KEY = 10;
    private static final int PROBES = 7;

    private final List<Layer> layers = new ArrayList<>();

    KeyFilter() {
        layers.add(new Layer(FIRST_KEYS));
    }

    /**
     * Adds a key. One that seems to be there already costs nothing, so keys that come again and again do not fill it.
     *
     * @return by how many bytes the filter has grown
     */
    long add(byte[] key) {
        long hash = hash(key);
        if (mightContain(hash)) {
            return 0;
        }
        Layer newest = layers.get(layers.size() - 1);
        long grown = 0;
        if (newest.left == 0) {
            newest = new Layer(newest.capacity * 2L);
            layers.add(newest);
            grown = newest.bits.length * 8L;
        }
        newest.add(hash);
        return grown;
    }

    boolean mightContain(byte[] key) {
        return mightContain(hash(key));
    }

    private boolean mightContain(long hash) {
        for (Layer layer : layers) {
            if (layer.mightContain(hash)) {
                return true;
            }
        }
        return false;
    }

    /** Bytes on the heap. */
    long bytes() {
        long bytes = 0;
        for (Layer layer : layers) {
            bytes += layer.bits.length * 8L;
        }
        return bytes;
    }

    private static long hash(byte[] key) {
        long hash = 0xCBF29CE484222325L;
        for (byte b : key) {
            hash = (hash ^ (b & 0xFF)) * 0x100000001B3L;
        }
        hash = (hash ^ (hash >>> 33)) * 0xFF51AFD7ED558CCDL;
        hash = (hash ^ (hash >>> 33)) * 0xC4CEB9FE1A85EC53L;
        return hash ^ (hash >>> 33);
    }

    private static final class Layer {

        private final int capacity;
        private final long[] bits;
        private int left;

        Layer(long keys) {
            capacity = (int) Math.min(keys, 1 << 24);
            bits = new long[capacity * BITS_PER_KEY / Long.SIZE];
            left = capacity;
        }

        void add(long hash) {
            left--;
            for (int probe = 0; probe < PROBES; probe++) {
                int bit = bit(hash, probe);
                bits[bit >>> 6] |= 1L << bit;
            }
        }

        boolean mightContain(long hash) {
            for (int probe = 0; probe < PROBES; probe++) {
                int bit = bit(hash, probe);
                if ((bits[bit >>> 6] & (1L << bit)) == 0) {
                    return false;
                }
            }
            return true;
        }

        private int bit(long hash, int probe) {
            int step = (int) (hash >>> 32) | 1;
            return Integer.remainderUnsigned((int) hash + probe * step, bits.length * Long.SIZE);
        }
    }
}
