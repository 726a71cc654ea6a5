package io.fluxmark.windows;

import java.util.List;

/**
 * Turns values of one type into bytes and back. Thread-safe and without state. {@code decode(encode(v))} equals
 * {@code v}. A codec carries its own version where its format may change.
 *
 * @param <V> the type of the values
 */
public interface Codec<V> {

    /** A stable name, recorded with the data and compared when it is read again. */
    String id();

    /** The bytes of {@code value}; the caller owns them. */
    byte[] encode(V value);

    /** The value of {@code bytes}, which are not kept. Throws {@link IllegalArgumentException} for foreign bytes. */
    V decode(byte[] bytes);

    /** Longs in eight bytes. */
    static Codec<Long> longs() {
        return BuiltInCodec.LONGS;
    }

    /** Doubles in eight bytes. */
    static Codec<Double> doubles() {
        return BuiltInCodec.DOUBLES;
    }

    /** Strings in UTF-8. */
    static Codec<String> strings() {
        return BuiltInCodec.STRINGS;
    }

    /** Arrays of longs, eight bytes each. */
    static Codec<long[]> longArrays() {
        return BuiltInCodec.LONG_ARRAYS;
    }

    /** Lists of what {@code elements} encodes, none of them null. */
    static <V> Codec<List<V>> listOf(Codec<V> elements) {
        return new ElementsCodec<>(elements);
    }
}
