package io.fluxmark.state;

import java.util.Arrays;

/**
 * Where the operators' state stands in {@link StoreTable#STATE}, behind the lane. Pane entries are time-major, so a pane
 * is one range.
 *
 * <pre>
 * 1, operator, pane start, key (rest)   an entry
 * 2, operator, pane start               a pane: its end, and the number of its entries
 * 3, operator, name                     longs
 * 4, operator                           ids of the key and accumulator codecs, before there were headers
 * 5, operator                           the header
 * </pre>
 */
final class PaneKeys {

    private static final byte ENTRY = 1;
    private static final byte PANE = 2;
    private static final byte LONGS = 3;
    private static final byte CODECS = 4;
    private static final byte HEADER = 5;

    private PaneKeys() {}

    static byte[] entries(String operator, long start) {
        return KeyBytes.key().add(ENTRY).add(operator).add(start).toBytes();
    }

    static byte[] pane(String operator, long start) {
        return KeyBytes.key().add(PANE).add(operator).add(start).toBytes();
    }

    static byte[] panes(String operator) {
        return KeyBytes.key().add(PANE).add(operator).toBytes();
    }

    static long paneStart(byte[] paneKey) {
        KeyReader parts = new KeyReader(paneKey);
        parts.readByte();
        parts.readString();
        return parts.readLong();
    }

    /** The beginning of all keys of longs. */
    static byte[] allLongs() {
        return KeyBytes.key().add(LONGS).toBytes();
    }

    static byte[] longs(String operator, String name) {
        return KeyBytes.key().add(LONGS).add(operator).add(name).toBytes();
    }

    static byte[] codecs(String operator) {
        return KeyBytes.key().add(CODECS).add(operator).toBytes();
    }

    static byte[] header(String operator) {
        return KeyBytes.key().add(HEADER).add(operator).toBytes();
    }

    /** The part of an entry's key behind its pane's prefix. */
    static byte[] withoutPrefix(byte[] entryKey, byte[] prefix) {
        return Arrays.copyOfRange(entryKey, prefix.length, entryKey.length);
    }

    static byte[] concat(byte[] prefix, byte[] key) {
        byte[] whole = Arrays.copyOf(prefix, prefix.length + key.length);
        System.arraycopy(key, 0, whole, prefix.length, key.length);
        return whole;
    }
}
