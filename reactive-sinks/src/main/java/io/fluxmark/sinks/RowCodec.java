package io.fluxmark.sinks;

import io.fluxmark.state.StateStore;
import io.fluxmark.state.StoreTable;
import io.fluxmark.windows.Codec;
import io.fluxmark.windows.JobDefinition;
import io.fluxmark.windows.KeyCodec;
import io.fluxmark.windows.WindowResult;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;

/**
 * The codec of a sink's rows: of what was given when the sink was made, else of the pipeline that writes to it. Known to
 * readers once both were given or a job was assembled. Thread-safe.
 */
final class RowCodec<K, V> {

    private final String sink;
    private final @Nullable KeyCodec<K> keys;
    private final @Nullable Codec<V> values;
    private volatile @Nullable ResultCodec<K, V> known;

    /** @param sink what messages call the sink */
    RowCodec(String sink, @Nullable KeyCodec<K> keys, @Nullable Codec<V> values) {
        this.sink = sink;
        this.keys = keys;
        this.values = values;
        if (keys != null && values != null) {
            known = new ResultCodec<>(keys, values);
        }
    }

    ResultCodec<K, V> of(JobDefinition<?> definition) {
        ResultCodec<K, V> codec = ResultCodec.of(sink, definition, keys, values);
        known = codec;
        return codec;
    }

    String identity(JobDefinition<?> definition) {
        return sink + " " + of(definition).id();
    }

    /** All rows of one committed moment whose keys begin with the sink's name. */
    Flux<WindowResult<K, V>> read(StateStore store, StoreTable table, String name) {
        return read(store, table, RowNames.prefix(name), RowNames.end(name));
    }

    /** The rows of a range of keys of one committed moment. */
    Flux<WindowResult<K, V>> read(StateStore store, StoreTable table, byte[] from, byte[] to) {
        return Flux.defer(() -> {
            ResultCodec<K, V> codec = known();
            return store.read(table, from, to).map(entry -> codec.decode(entry.value()));
        });
    }

    /** The codecs, given or of a job. */
    ResultCodec<K, V> known() {
        ResultCodec<K, V> codec = known;
        if (codec == null) {
            throw new IllegalStateException("the codecs of " + sink
                    + " are not known yet: open it with a key codec and a value codec, or assemble its job first");
        }
        return codec;
    }
}
