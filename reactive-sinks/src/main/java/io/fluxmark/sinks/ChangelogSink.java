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
    private final @Nullable KeyCodec<K> keyCodec;
    private final @Nullable Codec<V> valueCodec;
    private volatile @Nullable ResultCodec<K, V> known;

    ChangelogSink(StateStore store, String name, @Nullable KeyCodec<K> keyCodec, @Nullable Codec<V> valueCodec) {
        this.store = store;
        this.name = name;
        this.keyCodec = keyCodec;
        this.valueCodec = valueCodec;
        if (keyCodec != null && valueCodec != null) {
            known = new ResultCodec<>(keyCodec, valueCodec);
        }
    }

    /** The changes of one committed moment, by lane and number. Cold; as {@link TableSink#rows}. */
    public Flux<WindowResult<K, V>> changes() {
        return Flux.defer(() -> {
            ResultCodec<K, V> codec = known;
            return codec == null
                    ? needCodecs("changelog " + name)
                    : store.read(StoreTable.CHANGELOG, RowNames.prefix(name), RowNames.end(name))
                            .map(entry -> codec.decode(entry.value()));
        });
    }

    @Override
    StateStore store() {
        return store;
    }

    @Override
    String identity(JobDefinition<?> definition) {
        ResultCodec<K, V> codec = codec("changelog " + name, definition, keyCodec, valueCodec);
        known = codec;
        return "changelog " + name + " " + codec.id();
    }

    @Override
    RowWriter<WindowResult<K, V>> open(JobDefinition<?> definition, JobLane lane) {
        ResultCodec<K, V> codec = codec("changelog " + name, definition, keyCodec, valueCodec);
        NumberedRows rows = new NumberedRows(StoreTable.CHANGELOG, name, lane);
        return new RowWriter<>() {
            @Override
            public void write(WindowResult<K, V> result) {
                rows.add(codec.encode(result));
            }

            @Override
            public void flush(LaneTransaction transaction) {
                rows.flush(transaction);
            }
        };
    }
}
