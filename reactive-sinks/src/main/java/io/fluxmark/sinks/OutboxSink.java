package io.fluxmark.sinks;

import io.fluxmark.state.LaneTransaction;
import io.fluxmark.state.StateStore;
import io.fluxmark.state.StoreTable;
import io.fluxmark.windows.Codec;
import io.fluxmark.windows.JobDefinition;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * What the pipeline ends in, handed to a function: at least once. Rows are committed with the state that they follow from and
 * handed over only when that commit is durable; the store forgets them after the receiver's publisher has completed.
 *
 * <p>Of one key (within a lane) the next row is handed over when the one before has been acknowledged or given up; rows of
 * different keys are under way at the same time, of so many keys and so many rows as {@link DeliverySpec} says, and the next
 * batch follows when the last row of one has been dealt with. A failure, thrown or signalled, is repeated with a growing pause; when
 * all attempts have failed, the row goes into {@link #undelivered()}, in the same commit that removes it, and the rows behind it
 * go on. A receiver that never answers holds its lane, within the bounds: give it a time-out.
 *
 * <p>After a crash, and after a failure that came behind the effect, a row is handed over again, and
 * {@link OutboxDelivery} says so. It is the same row with the same name.
 *
 * <p>A job that is stopped or drained completes when its rows have been acknowledged or given up.
 *
 * @param <T> what it takes
 */
public final class OutboxSink<T> extends TransactionalSink<T> {

    private final StateStore store;
    private final String name;
    private final Codec<T> codec;
    private final Function<? super T, ?> key;
    private final Function<? super OutboxDelivery<T>, ? extends Publisher<?>> receiver;
    private final DeliverySpec spec;
    private final OutboxSender.Counts counts;

    OutboxSink(
            StateStore store,
            String name,
            Codec<T> codec,
            Function<? super T, ?> key,
            Function<? super OutboxDelivery<T>, ? extends Publisher<?>> receiver,
            DeliverySpec spec,
            OutboxSender.Counts counts) {
        this.store = Objects.requireNonNull(store, "store");
        this.name = name;
        this.codec = Objects.requireNonNull(codec, "codec");
        this.key = Objects.requireNonNull(key, "key");
        this.receiver = Objects.requireNonNull(receiver, "receiver");
        this.spec = spec;
        this.counts = counts;
    }

    /** The same with other bounds, counting together with this one. */
    public OutboxSink<T> delivery(DeliverySpec delivery) {
        return new OutboxSink<>(
                store, name, codec, key, receiver, Objects.requireNonNull(delivery, "delivery"), counts);
    }

    /** The figures now. */
    public OutboxCounts counts() {
        return counts.now();
    }

    /** The rows that were given up, of one committed moment, in order per lane. Cold; reads what is requested. */
    public Flux<UndeliveredRow<T>> undelivered() {
        String letters = RowNames.undelivered(name);
        return store.read(StoreTable.DEAD, RowNames.prefix(letters), RowNames.end(letters))
                .map(entry -> OutboxSender.decode(entry.value(), codec));
    }

    /** The rows that wait for delivery, as of one committed moment, by lane and number; some may have arrived. */
    public Flux<T> waiting() {
        return store.read(StoreTable.OUTBOX, RowNames.prefix(name), RowNames.end(name))
                .map(entry -> codec.decode(entry.value()));
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
        return List.of(new JobDescription.Output("outbox", name, codec.id()));
    }

    @Override
    String identity(JobDefinition<?> definition) {
        return "outbox " + codec.id();
    }

    @Override
    RowWriter<T> open(JobDefinition<?> definition, JobLane lane) {
        OutboxQueue queue = new OutboxQueue(store, name, lane);
        Delivery delivery =
                new Delivery(queue, new OutboxSender<>(codec, key, receiver, counts, lane, spec), lane, spec);
        return new RowWriter<>() {
            @Override
            public void write(T value) {
                queue.add(codec.encode(value));
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
