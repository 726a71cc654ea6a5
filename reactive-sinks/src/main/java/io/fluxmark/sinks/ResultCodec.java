package io.fluxmark.sinks;

import io.fluxmark.state.StoreTable;
import io.fluxmark.windows.Codec;
import io.fluxmark.windows.JobDefinition;
import io.fluxmark.windows.KeyCodec;
import io.fluxmark.windows.WindowResult;
import org.jspecify.annotations.Nullable;

/** Window results as bytes; {@link StoredResult} has the layout. */
record ResultCodec<K, V>(KeyCodec<K> keys, Codec<V> values) implements Codec<WindowResult<K, V>> {

    @SuppressWarnings("unchecked") // the pipeline's codecs are those of its results
    static <K, V> ResultCodec<K, V> of(
            String sink, JobDefinition<?> definition, @Nullable KeyCodec<K> keys, @Nullable Codec<V> values) {
        KeyCodec<K> keyCodec = keys != null ? keys : (KeyCodec<K>) definition.keyCodec();
        Codec<V> valueCodec = values != null ? values : (Codec<V>) definition.valueCodec();
        if (keyCodec == null || valueCodec == null) {
            throw new IllegalStateException("the pipeline has no codec for what it writes to " + sink
                    + ": give the sink a key codec and a value codec, or the aggregation a codec for its results");
        }
        return new ResultCodec<>(keyCodec, valueCodec);
    }

    @Override
    public String id() {
        return keys.id() + "/" + values.id();
    }

    /** What is kept of a sink with this codec. */
    StoredSink of(StoreTable table, String name) {
        return new StoredSink(table, name, keys.id(), values.id());
    }

    @Override
    public byte[] encode(WindowResult<K, V> result) {
        return encode(result, keys.encode(result.key()));
    }

    /** The same where the key has been encoded already. */
    byte[] encode(WindowResult<K, V> result, byte[] key) {
        return new StoredResult(
                        result.kind(),
                        result.byTimeout(),
                        result.revision(),
                        result.window(),
                        result.late(),
                        result.watermark(),
                        key,
                        values.encode(result.value()))
                .toBytes();
    }

    @Override
    public WindowResult<K, V> decode(byte[] row) {
        return decode(StoredResult.of(row));
    }

    WindowResult<K, V> decode(StoredResult stored) {
        return new WindowResult<>(
                keys.decode(stored.key()),
                stored.window(),
                values.decode(stored.value()),
                stored.kind(),
                stored.revision(),
                stored.late(),
                stored.watermark(),
                stored.byTimeout());
    }
}
