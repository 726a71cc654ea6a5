package io.fluxmark.windows;

import java.util.Objects;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Which group an event's key belongs to: of a fixed number of groups, by a hash that is the same in every run, so that state is
 * found again however many lanes there are. Confined to who splits the stream.
 *
 * @param <T> the events
 * @param <K> the keys
 */
final class KeyGroups<T, K> {

    /** Written into the names of states: never changed. */
    static final int COUNT = 16;

    /** How many keys that have to be encoded are remembered; a power of two. */
    private static final int KNOWN = 1024;

    /** Where an event goes whose key can't be had: the group's operator comes to the same, and knows what it means. */
    private static final int WITHOUT_KEY = 0;

    private final Function<? super T, ? extends K> key;
    private final KeyCodec<K> codec;

    /** The same where it need not become an object; null of other keys. */
    private final @Nullable ToLongFunction<? super T> longs;

    private final @Nullable Object[] known = new Object[KNOWN];
    private final byte[] groups = new byte[KNOWN];

    KeyGroups(Function<? super T, ? extends K> key, KeyCodec<K> codec) {
        this.key = key;
        this.codec = codec;
        this.longs = longs(key);
    }

    @SuppressWarnings("unchecked") // a function over a supertype of T
    private static <T> @Nullable ToLongFunction<? super T> longs(Function<? super T, ?> key) {
        return key instanceof LongKey<?> ofLong ? (ToLongFunction<? super T>) ofLong.function() : null;
    }

    @SuppressWarnings("CatchingUnchecked") // a function can throw a checked exception without saying so
    int of(T event) {
        try {
            if (longs != null) {
                return spread(Long.hashCode(longs.applyAsLong(event)));
            }
            return groupOf(Objects.requireNonNull(key.apply(event), "key"));
        } catch (Exception e) {
            return WITHOUT_KEY;
        }
    }

    private int groupOf(K ofEvent) {
        // The hash codes of these are part of what Java says they are.
        if (ofEvent instanceof String || ofEvent instanceof Long || ofEvent instanceof Integer) {
            return spread(ofEvent.hashCode());
        }
        int hash = ofEvent.hashCode();
        int place = (hash ^ (hash >>> 16)) & (KNOWN - 1);
        if (!ofEvent.equals(known[place])) {
            groups[place] = (byte) spread(hash(codec.encode(ofEvent)));
            known[place] = ofEvent;
        }
        return groups[place];
    }

    private static int hash(byte[] bytes) {
        int hash = 0x811C9DC5;
        for (byte b : bytes) {
            hash = (hash ^ (b & 0xFF)) * 0x01000193;
        }
        return hash;
    }

    private static int spread(int code) {
        int hash = (code ^ (code >>> 16)) * 0x85EBCA6B;
        hash = (hash ^ (hash >>> 13)) * 0xC2B2AE35;
        return (hash ^ (hash >>> 16)) & (COUNT - 1);
    }
}
