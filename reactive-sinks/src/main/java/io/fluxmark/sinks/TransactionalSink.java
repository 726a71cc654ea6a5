package io.fluxmark.sinks;

import io.fluxmark.state.StateStore;
import io.fluxmark.windows.Checkpoint;
import io.fluxmark.windows.CheckpointSpec;
import io.fluxmark.windows.Codec;
import io.fluxmark.windows.EventSink;
import io.fluxmark.windows.JobDefinition;
import io.fluxmark.windows.KeyCodec;
import reactor.core.publisher.Flux;

/**
 * A sink whose rows become durable in the same commit as the state and the positions that they came from: each result has
 * its effect exactly once, whatever crashes in between.
 *
 * @param <T> what it takes
 */
public abstract sealed class TransactionalSink<T> implements EventSink<T> permits TableSink, ChangelogSink, BothSinks {

    TransactionalSink() {}

    /** The latest row per key and window, with the codecs of the pipeline. */
    public static <K, V> TableSink<K, V> table(StateStore store, String name) {
        return new TableSink<>(store, RowNames.checked(name), null, null);
    }

    /** The same with codecs given: needed where the aggregation has none for its results. */
    public static <K, V> TableSink<K, V> table(
            StateStore store, String name, KeyCodec<K> keyCodec, Codec<V> valueCodec) {
        return new TableSink<>(store, RowNames.checked(name), keyCodec, valueCodec);
    }

    /** Every emission, numbered per lane, with the codecs of the pipeline. */
    public static <K, V> ChangelogSink<K, V> changelog(StateStore store, String name) {
        return new ChangelogSink<>(store, RowNames.checked(name), null, null);
    }

    /** The same with codecs given. */
    public static <K, V> ChangelogSink<K, V> changelog(
            StateStore store, String name, KeyCodec<K> keyCodec, Codec<V> valueCodec) {
        return new ChangelogSink<>(store, RowNames.checked(name), keyCodec, valueCodec);
    }

    /** Writes to both, in the same commit. They must share the store. */
    public TransactionalSink<T> and(TransactionalSink<T> other) {
        if (store() != other.store()) {
            throw new IllegalArgumentException("two sinks of one job share its store: open both on the same one");
        }
        return new BothSinks<>(this, other);
    }

    @Override
    public Flux<Checkpoint> write(JobDefinition<? extends T> definition, CheckpointSpec spec) {
        return JobRunner.of(this, definition, spec);
    }

    abstract StateStore store();

    /** What of the sink must not change between runs of a job. */
    abstract String identity(JobDefinition<?> definition);

    /** The writer of one lane, at its start. */
    abstract RowWriter<T> open(JobDefinition<?> definition, JobLane lane);
}
