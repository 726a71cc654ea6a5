package io.fluxmark.state;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.Objects;

/**
 * One key and its value, as read from a table. Both arrays belong to the receiver.
 *
 * @param key the key, without any internal prefix
 * @param value the value as it was put
 */
@SuppressWarnings("ArrayRecordComponent") // equals and hashCode are by content
public record StoreEntry(byte[] key, byte[] value) {

    /** Rejects nulls. */
    public StoreEntry {
        Objects.requireNonNull(key, "key");
        Objects.requireNonNull(value, "value");
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof StoreEntry that && Arrays.equals(key, that.key) && Arrays.equals(value, that.value);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(key) + Arrays.hashCode(value);
    }

    @Override
    public String toString() {
        return "StoreEntry[key=" + HexFormat.of().formatHex(key) + ", " + value.length + " bytes]";
    }
}
