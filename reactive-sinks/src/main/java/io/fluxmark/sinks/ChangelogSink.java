package io.fluxmark.sinks;

import io.fluxmark.state.LaneTransaction;
import io.fluxmark.state.StateStore;
import io.fluxmark.state.StoreTable;
import io.fluxmark.windows.Codec;
import io.fluxmark.windows.JobDefinition;
import io.fluxmark.windows.KeyCodec;
import io.fluxmark.windows.WindowResult;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

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

    /**
     * The changes from a position on, and then each as soon as it is committed; of a lane in order, without gap or repetition.
     * Cold, never completes. Reads only under demand, in pages; waits for commits without polling; holds nothing of the store
     * while its subscriber takes its time. To go on later, keep {@link ChangePosition#after} of what has been dealt with.
     *
     * <p>Errors as {@link StateStore#commits()} does: a {@link io.fluxmark.state.StoreReopenedException} may be answered by
     * following again from the position reached.
     */
    public Flux<Change<WindowResult<K, V>>> follow(ChangePosition from) {
        Objects.requireNonNull(from, "from");
        return Flux.defer(() -> reader().follow(from));
    }

    /** The changes from a position on that are committed now; for the rest as {@link #follow}. */
    public Flux<Change<WindowResult<K, V>>> changesFrom(ChangePosition from) {
        Objects.requireNonNull(from, "from");
        return Flux.defer(() -> reader().read(from));
    }

    /**
     * The position behind all changes that are committed now. Who reads a table after this, and then follows from here, misses
     * nothing: a change that the table had already comes again, with its revision.
     */
    public Mono<ChangePosition> end() {
        return Mono.defer(() -> reader().end());
    }

    private ChangeReader<WindowResult<K, V>> reader() {
        ResultCodec<K, V> results = codec.known();
        return new ChangeReader<>(store, name, results::decode);
    }

    @Override
    StateStore store() {
        return store;
    }

    @Override
    List<JobDescription.Output> outputs(JobDefinition<?> definition) {
        return List.of(new JobDescription.Output(
                "changelog", name, codec.of(definition).id()));
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
