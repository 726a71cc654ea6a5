package io.fluxmark.windows;

import java.util.Comparator;
import java.util.Objects;

/**
 * Turns keys into bytes whose unsigned lexicographic order is the order of the keys, so that firing in key order means
 * the same on the heap and in a store. Thread-safe and without state.
 *
 * @param <K> the type of the keys
 */
public interface KeyCodec<K> {

    /** A stable name, recorded with the data and compared when it is read again. */
    String id();

    /** The bytes of {@code key}; the caller owns them. */
    byte[] encode(K key);

    /** The key of {@code bytes}. Throws {@link IllegalArgumentException} for foreign bytes. */
    K decode(byte[] bytes);

    /** Orders keys as their bytes are ordered, without encoding them where it can. */
    Comparator<K> order();

    /**
     * Keys that say themselves what they are: a type tag, then the order-preserving bytes. Takes {@link String},
     * {@link Long}, {@link Integer}, {@link Boolean}, {@link java.util.UUID}, {@link java.time.Instant} and lists of
     * these; another class ends the stream with an {@link IllegalArgumentException} that names it and the remedy.
     * Keys of different classes are ordered by tag.
     */
    static <K> KeyCodec<K> tagged(Class<K> keys) {
        Objects.requireNonNull(keys, "keys");
        return tagged();
    }

    /** The same where the class of the keys follows from elsewhere. */
    @SuppressWarnings("unchecked") // decodes to the class that was encoded
    static <K> KeyCodec<K> tagged() {
        return (KeyCodec<K>) TaggedKeyCodec.INSTANCE;
    }
}
