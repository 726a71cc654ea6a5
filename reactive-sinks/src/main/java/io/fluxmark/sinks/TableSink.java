package io.fluxmark.sinks;

import io.fluxmark.state.KeyBytes;
import io.fluxmark.state.LaneTransaction;
import io.fluxmark.state.StateStore;
import io.fluxmark.state.StoreTable;
import io.fluxmark.windows.Codec;
import io.fluxmark.windows.JobDefinition;
import io.fluxmark.windows.KeyCodec;
import io.fluxmark.windows.WindowResult;
import java.util.Arrays;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;

/**
 * A table of the latest result per key and window; a retraction without a new value removes the row. Rows are ordered by
 * the end and start of the window, then by key.
 */
public final class TableSink<K, V> extends TransactionalSink<WindowResult<K, V>> {

    private final StateStore store;
    private final String name;
    private final RowCodec<K, V> codec;

    TableSink(StateStore store, String name, @Nullable KeyCodec<K> keyCodec, @Nullable Codec<V> valueCodec) {
        this.store = store;
        this.name = name;
        this.codec = new RowCodec<>("table " + name, keyCodec, valueCodec);
    }

    /**
     * The rows of one committed moment. Cold: reads what is requested, in pages. Needs the codecs: given, or known from a
     * job that was assembled with this sink.
     */
    public Flux<WindowResult<K, V>> rows() {
        return codec.read(store, StoreTable.ROWS, name);
    }

    @Override
    StateStore store() {
        return store;
    }

    @Override
    String identity(JobDefinition<?> definition) {
        return codec.identity(definition);
    }

    @Override
    RowWriter<WindowResult<K, V>> open(JobDefinition<?> definition, JobLane lane) {
        ResultCodec<K, V> results = codec.of(definition);
        return new Rows<>(name, results, lane.keeper(results.of(StoreTable.ROWS, name)));
    }

    /** What changes between two barriers: the newest row, or its removal, per row key. */
    private static final class Rows<K, V> implements RowWriter<WindowResult<K, V>> {

        private final String name;
        private final ResultCodec<K, V> codec;
        private final StoredSink.Keeper keeper;
        private final Map<byte[], Row> changed = new TreeMap<>(Arrays::compareUnsigned);

        Rows(String name, ResultCodec<K, V> codec, StoredSink.Keeper keeper) {
            this.name = name;
            this.codec = codec;
            this.keeper = keeper;
        }

        @Override
        public void write(WindowResult<K, V> result) {
            byte[] key = KeyBytes.key()
                    .add(name)
                    .add(result.window().end())
                    .add(result.window().start())
                    .addRaw(codec.keys().encode(result.key()))
                    .toBytes();
            changed.put(key, new Row(result.isRetraction() ? null : codec.encode(result)));
        }

        @Override
        public void flush(LaneTransaction transaction) {
            keeper.keep(transaction);
            changed.forEach((key, row) -> {
                byte[] bytes = row.bytes();
                if (bytes == null) {
                    transaction.remove(StoreTable.ROWS, key);
                } else {
                    transaction.put(StoreTable.ROWS, key, bytes);
                }
            });
            changed.clear();
        }
    }

    /** A row, or its absence. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Row(byte @Nullable [] bytes) {}
}
