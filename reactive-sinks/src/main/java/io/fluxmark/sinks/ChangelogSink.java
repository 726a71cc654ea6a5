package io.fluxmark.sinks;

import io.fluxmark.state.LaneTransaction;
import io.fluxmark.state.StateStore;
import io.fluxmark.state.StoreTable;
import io.fluxmark.windows.Codec;
import io.fluxmark.windows.JobDefinition;
import io.fluxmark.windows.KeyCodec;
import io.fluxmark.windows.WindowResult;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;

/** Every emission in order, numbered per lane from 0 without gaps: results, retractions and corrections. */
public final class ChangelogSink<K, V> extends TransactionalSink<WindowResult<K, V>> {

    private final StateStore store;
    private final String name;
    private final RowCodec<K, V> codec;

    ChangelogSink(StateStore store, String name, @Nullable KeyCodec<K> keyCodec, @Nullable Codec<V> valueCodec) {
        this.store = store;
        this.name = name;
        this.codec = new RowCodec<>("changelog " + name, keyCodec, valueCodec);
    }

    /** The changes of one committed moment, by lane and number. Cold; as {@link TableSink#rows}. */
    public Flux<WindowResult<K, V>> changes() {
        return codec.read(store, StoreTable.CHANGELOG, name);
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
        NumberedRows rows = new NumberedRows(results.of(StoreTable.CHANGELOG, name), lane);
        return new RowWriter<>() {
            @Override
            public void write(WindowResult<K, V> result) {
                rows.add(results.encode(result));
            }

            @Override
            public void flush(LaneTransaction transaction) {
                rows.flush(transaction);
            }
        };
    }
}
