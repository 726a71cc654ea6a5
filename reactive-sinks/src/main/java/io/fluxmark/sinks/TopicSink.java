package io.fluxmark.sinks;

import io.fluxmark.log.AppendRecord;
import io.fluxmark.log.Topic;
import io.fluxmark.state.LaneTransaction;
import io.fluxmark.state.StateStore;
import io.fluxmark.windows.JobDefinition;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import reactor.core.publisher.Mono;

/**
 * Results as records of another topic, each exactly once, in order per lane and so per key. Rows are committed with the state
 * that they follow from, with their final bytes, partition, producer and sequence, and appended only when that commit is
 * durable; what a crash leaves unanswered is appended again, and the log knows it by its sequence. A row leaves the store
 * only when an fsync of the log covers it, at every {@link io.fluxmark.log.Durability}.
 *
 * <p>A lane's producer is {@code job/sink/lane}; sequences have gaps per partition. A repetition is compared with what the
 * topic holds: if the two differ, the job fails rather than lose one of them.
 *
 * <p>A job that is stopped or drained completes when what it has committed is in the topic. Where the log is overloaded,
 * appends are repeated as {@link DeliverySpec} says and the job slows down.
 *
 * <p>The name belongs to one job. A job that is restored under another name is another producer: it appends what waited then.
 *
 * @param <T> what it takes
 */
public final class TopicSink<T> extends TransactionalSink<T> {

    /** How elements become records. */
    interface Encoding<T> {

        /** What of it must not change between runs. */
        String identity(JobDefinition<?> definition);

        /** The encoder for a pipeline. */
        Function<? super T, AppendRecord> of(JobDefinition<?> definition);
    }

    private final StateStore store;
    private final String name;
    private final Topic target;
    private final Encoding<T> encoding;
    private final DeliverySpec spec;

    TopicSink(StateStore store, String name, Topic target, Encoding<T> encoding) {
        this(store, name, target, encoding, DeliverySpec.defaults());
    }

    private TopicSink(StateStore store, String name, Topic target, Encoding<T> encoding, DeliverySpec spec) {
        this.store = Objects.requireNonNull(store, "store");
        this.name = name;
        this.target = Objects.requireNonNull(target, "target");
        this.encoding = encoding;
        this.spec = spec;
    }

    /** The same with other bounds. */
    public TopicSink<T> delivery(DeliverySpec delivery) {
        return new TopicSink<>(store, name, target, encoding, Objects.requireNonNull(delivery, "delivery"));
    }

    /** How many committed rows wait, as of the newest commit: some may have arrived and are not removed yet. */
    public Mono<Long> unsent() {
        return OutboxQueue.count(store, name);
    }

    @Override
    StateStore store() {
        return store;
    }

    @Override
    List<JobDescription.Output> outputs(JobDefinition<?> definition) {
        return List.of(new JobDescription.Output("topic", name, identity(definition)));
    }

    @Override
    String identity(JobDefinition<?> definition) {
        if (definition.source() instanceof LogSource.TopicSource source && source.topic() == target) {
            throw new IllegalArgumentException("the job reads topic " + target.name()
                    + ", and would read what it writes into it: write into another");
        }
        return encoding.identity(definition) + " of " + target.partitionCount() + " partitions";
    }

    @Override
    RowWriter<T> open(JobDefinition<?> definition, JobLane lane) {
        OutboxQueue queue = new OutboxQueue(store, name, lane);
        TopicSender sender = new TopicSender(target, name, lane, queue, spec);
        Delivery delivery = new Delivery(queue, sender, lane, spec);
        Function<? super T, AppendRecord> encoder = encoding.of(definition);
        return new RowWriter<>() {
            @Override
            public void write(T value) {
                AppendRecord record = Objects.requireNonNull(encoder.apply(value), "the encoder's record");
                queue.add(sender.row(record));
            }

            @Override
            public void flush(LaneTransaction transaction) {
                delivery.flush(transaction);
            }

            @Override
            public List<Delivery> deliveries() {
                return List.of(delivery);
            }
        };
    }
}
