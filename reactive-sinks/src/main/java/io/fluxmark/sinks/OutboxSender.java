package io.fluxmark.sinks;

import io.fluxmark.windows.Codec;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Hands the rows of one lane to a receiver: of a key one after the other, of different keys at the same time. */
final class OutboxSender<T> implements RowSender {

    private static final byte VERSION = 1;

    /** What all lanes of an outbox have done. */
    static final class Counts {

        private final LongAdder delivered = new LongAdder();
        private final LongAdder redelivered = new LongAdder();
        private final LongAdder retried = new LongAdder();
        private final LongAdder dead = new LongAdder();

        OutboxCounts now() {
            return new OutboxCounts(delivered.sum(), redelivered.sum(), retried.sum(), dead.sum());
        }
    }

    /** A row that was given up. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record GivenUp(long number, byte[] letter) {}

    private final Codec<T> codec;
    private final Function<? super T, ?> key;
    private final Function<? super OutboxDelivery<T>, ? extends Publisher<?>> receiver;
    private final Counts counts;
    private final JobLane lane;
    private final DeliverySpec spec;

    OutboxSender(
            Codec<T> codec,
            Function<? super T, ?> key,
            Function<? super OutboxDelivery<T>, ? extends Publisher<?>> receiver,
            Counts counts,
            JobLane lane,
            DeliverySpec spec) {
        this.codec = codec;
        this.key = key;
        this.receiver = receiver;
        this.counts = counts;
        this.lane = lane;
        this.spec = spec;
    }

    @Override
    public Mono<List<byte[]>> send(List<OutboxRow> rows) {
        Map<Object, List<OutboxRow>> byKey = new LinkedHashMap<>();
        for (OutboxRow row : rows) {
            T value = codec.decode(row.bytes());
            Object of = Objects.requireNonNull(key.apply(value), "the outbox's key function returned null");
            byKey.computeIfAbsent(of, k -> new ArrayList<>()).add(row);
        }
        return Flux.fromIterable(byKey.values())
                .flatMap(ofKey -> Flux.fromIterable(ofKey).concatMap(this::deliver, 1), spec.concurrency(), 1)
                .collectSortedList(Comparator.comparingLong(GivenUp::number))
                .map(all -> all.stream().map(GivenUp::letter).toList());
    }

    /** Empty when the row has arrived. */
    private Mono<GivenUp> deliver(OutboxRow row) {
        AtomicInteger attempts = new AtomicInteger();
        T value = codec.decode(row.bytes());
        return Mono.defer(() -> {
                    int attempt = attempts.incrementAndGet();
                    if (attempt > 1) {
                        counts.retried.increment();
                    } else if (row.repeated()) {
                        counts.redelivered.increment();
                    }
                    return Flux.from(receiver.apply(new OutboxDelivery<>(
                                    value, lane.job().name(), lane.number(), row.number(), attempt, row.repeated())))
                            .then();
                })
                .retryWhen(spec.retry(lane.clock()))
                .doOnSuccess(done -> counts.delivered.increment())
                .then(Mono.<GivenUp>empty())
                .onErrorResume(failure -> {
                    counts.dead.increment();
                    return Mono.just(new GivenUp(row.number(), letter(row, attempts.get(), failure)));
                });
    }

    private byte[] letter(OutboxRow row, int attempts, Throwable failure) {
        return new RowFields.Writer(VERSION)
                .add(lane.number())
                .add(row.number())
                .add(attempts)
                .add(DeadLetter.shortened(failure.toString()))
                .add(row.bytes())
                .toBytes();
    }

    /** A row of the dead letter table. */
    static <T> UndeliveredRow<T> decode(byte[] letter, Codec<T> codec) {
        RowFields.Reader in = new RowFields.Reader("an undelivered row", VERSION, letter);
        int lane = in.readInt();
        long number = in.readLong();
        int attempts = in.readInt();
        String cause = in.readText();
        byte[] row = Objects.requireNonNull(in.readBytes(), "row");
        return new UndeliveredRow<>(codec.decode(row), lane, number, attempts, cause);
    }
}
