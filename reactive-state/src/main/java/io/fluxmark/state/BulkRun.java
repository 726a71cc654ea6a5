package io.fluxmark.state;

/** Collects entries whose keys rise, and puts them into their map some at a time. */
final class BulkRun {

    private static final int LENGTH = 1024;

    private final BulkMap map;
    private final byte[][] keys = new byte[LENGTH][];
    private final byte[][] values = new byte[LENGTH][];
    private int count;

    BulkRun(BulkMap map) {
        this.map = map;
    }

    void put(byte[] key, byte[] value) {
        if (count == LENGTH) {
            flush();
        }
        keys[count] = key;
        values[count] = value;
        count++;
    }

    /** Puts those that have not been yet. */
    void flush() {
        map.putAll(keys, values, count);
        count = 0;
    }
}
