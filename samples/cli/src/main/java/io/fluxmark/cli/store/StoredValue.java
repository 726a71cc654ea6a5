package io.fluxmark.cli.store;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.cbor.databind.CBORMapper;
import io.fluxmark.windows.Codec;
import io.fluxmark.windows.KeyCodec;
import java.io.IOException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Map;

/** Keys and values by the ids of their codecs: those built in are decoded, CBOR becomes a tree, others stay bytes. Stateless. */
final class StoredValue {

    private static final CBORMapper CBOR = new CBORMapper();
    private static final Map<String, Codec<?>> BUILT_IN = Map.of(
            Codec.longs().id(), Codec.longs(),
            Codec.doubles().id(), Codec.doubles(),
            Codec.strings().id(), Codec.strings(),
            Codec.longArrays().id(), Codec.longArrays());

    private StoredValue() {}

    /** Bytes whose codec is not built in. */
    @SuppressWarnings("ArrayRecordComponent") // written, never compared
    record Opaque(byte[] bytes) {}

    static boolean isTagged(String keyCodec) {
        return keyCodec.equals(KeyCodec.tagged().id());
    }

    static KeyCodec<Object> keys(String id) {
        return isTagged(id) ? KeyCodec.tagged() : new OpaqueKeys(id);
    }

    @SuppressWarnings("unchecked") // read only: whatever it decodes is an object
    static Codec<Object> values(String id) {
        Codec<?> builtIn = BUILT_IN.get(id);
        if (builtIn != null) {
            return (Codec<Object>) builtIn;
        }
        return id.startsWith("cbor:") ? new Tree(id) : new OpaqueValues(id);
    }

    private record OpaqueKeys(String id) implements KeyCodec<Object> {

        @Override
        public byte[] encode(Object key) {
            return ((Opaque) key).bytes();
        }

        @Override
        public Object decode(byte[] bytes) {
            return new Opaque(bytes);
        }

        @Override
        public Comparator<Object> order() {
            return (one, other) -> Arrays.compareUnsigned(encode(one), encode(other));
        }
    }

    private record OpaqueValues(String id) implements Codec<Object> {

        @Override
        public byte[] encode(Object value) {
            return ((Opaque) value).bytes();
        }

        @Override
        public Object decode(byte[] bytes) {
            return new Opaque(bytes);
        }
    }

    private record Tree(String id) implements Codec<Object> {

        @Override
        public byte[] encode(Object value) {
            throw new UnsupportedOperationException("values are only read");
        }

        @Override
        public Object decode(byte[] bytes) {
            try {
                JsonNode tree = CBOR.readTree(bytes);
                return tree.isMissingNode() ? new Opaque(bytes) : tree;
            } catch (IOException e) {
                return new Opaque(bytes);
            }
        }
    }
}
