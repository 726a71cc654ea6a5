package io.fluxmark.sinks;

import io.fluxmark.log.AppendRecord;
import io.fluxmark.log.Topic;
import io.fluxmark.state.StateStore;
import io.fluxmark.windows.Checkpoint;
import io.fluxmark.windows.CheckpointSpec;
import io.fluxmark.windows.Codec;
import io.fluxmark.windows.EventFlux;
import io.fluxmark.windows.EventSink;
import io.fluxmark.windows.JobDefinition;
import io.fluxmark.windows.KeyCodec;
import io.fluxmark.windows.WindowResult;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;

/**
 * A sink whose rows become durable in the same commit as the state and the positions that they came from: each result has
 * its effect exactly once, whatever crashes in between.
 *
 * @param <T> what it takes
 */
public abstract sealed class TransactionalSink<T> implements EventSink<T>
        permits TableSink, ChangelogSink, TopicSink, DatabaseSink, OutboxSink, BothSinks {

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

    /**
     * Every emission as a record of another topic, with the codecs of the pipeline. The record's key is the UTF-8 text of the
     * result's key, so that a job over the target can key by it; the value is the result as {@link #resultCodec} encodes it.
     */
    public static <K, V> TopicSink<WindowResult<K, V>> topic(StateStore store, String name, Topic target) {
        RowCodec<K, V> codec = new RowCodec<>("topic " + target.name(), null, null);
        return new TopicSink<>(store, RowNames.checked(name), target, new TopicSink.Encoding<>() {
            @Override
            public String identity(JobDefinition<?> definition) {
                return codec.identity(definition);
            }

            @Override
            public Function<WindowResult<K, V>, AppendRecord> of(JobDefinition<?> definition) {
                ResultCodec<K, V> results = codec.of(definition);
                return result -> AppendRecord.of(
                        String.valueOf(result.key()).getBytes(StandardCharsets.UTF_8), results.encode(result));
            }
        });
    }

    /**
     * Whatever the pipeline ends in as records of another topic.
     *
     * @param encoder makes the record: it goes to the partition that the record names, or else that of its key's hash. The
     *     same element has to become the same bytes each time; a sequence is not its to give
     */
    public static <T> TopicSink<T> topic(
            StateStore store, String name, Topic target, Function<? super T, AppendRecord> encoder) {
        Objects.requireNonNull(encoder, "encoder");
        return new TopicSink<>(store, RowNames.checked(name), target, new TopicSink.Encoding<>() {
            @Override
            public String identity(JobDefinition<?> definition) {
                return "topic " + target.name();
            }

            @Override
            public Function<? super T, AppendRecord> of(JobDefinition<?> definition) {
                return encoder;
            }
        });
    }

    /**
     * What the pipeline ends in, handed to a function at least once, in order per key; see {@link OutboxSink}.
     *
     * @param codec keeps elements until they are delivered; of window results {@link #resultCodec}
     * @param key what has to stay in order; equal keys are
     * @param receiver acknowledges by completing; what it emits is ignored. Called on the job's scheduler, by several lanes and
     *     for several keys at the same time
     */
    public static <T> OutboxSink<T> outbox(
            StateStore store,
            String name,
            Codec<T> codec,
            Function<? super T, ?> key,
            Function<? super OutboxDelivery<T>, ? extends Publisher<?>> receiver) {
        return new OutboxSink<>(
                store,
                RowNames.checked(name),
                codec,
                key,
                receiver,
                DeliverySpec.defaults(),
                new OutboxSender.Counts());
    }

    /** Window results as bytes: what tables, changelogs and topics hold, for whoever reads a topic or fills an outbox. */
    public static <K, V> Codec<WindowResult<K, V>> resultCodec(KeyCodec<K> keyCodec, Codec<V> valueCodec) {
        return new ResultCodec<>(
                Objects.requireNonNull(keyCodec, "keyCodec"), Objects.requireNonNull(valueCodec, "valueCodec"));
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

    /**
     * What the job is that {@code events} and this sink make, without running it. Errors as {@link EventFlux#writeTo} does for a
     * pipeline that is no job.
     */
    public JobDescription describe(EventFlux<? extends T> events, CheckpointSpec spec) {
        List<JobDescription> described = new ArrayList<>();
        EventSink<T> describing = (definition, checkpoints) -> {
            described.add(JobDescription.of(this, definition, checkpoints));
            return Flux.never();
        };
        events.writeTo(describing, spec);
        return described.get(0);
    }

    abstract StateStore store();

    /** The sinks that it is. */
    abstract List<JobDescription.Output> outputs(JobDefinition<?> definition);

    /** What of the sink must not change between runs of a job. */
    abstract String identity(JobDefinition<?> definition);

    /** The writer of one lane, at its start. */
    abstract RowWriter<T> open(JobDefinition<?> definition, JobLane lane);
}
