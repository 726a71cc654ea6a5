package io.fluxmark.log;

import java.time.Duration;
import java.util.concurrent.TimeoutException;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/** What is done with one record: its handler, within its time, or else the dead letter; then it is acknowledged. */
final class RecordHandling {

    private final Function<ConsumerRecord, ? extends Publisher<?>> handler;
    private final ConsumeSpec spec;
    private final Scheduler clock;

    RecordHandling(Function<ConsumerRecord, ? extends Publisher<?>> handler, ConsumeSpec spec, Scheduler clock) {
        this.handler = handler;
        this.spec = spec;
        this.clock = clock;
    }

    /** Completes when the record is finished, or of no concern any more. */
    Mono<Void> handle(ConsumerRecord record) {
        Mono<Void> work = Mono.defer(() -> Flux.from(handler.apply(record)).then());
        Duration limit = spec.limit();
        if (limit != null) {
            work = work.timeout(limit, clock)
                    .onErrorMap(
                            TimeoutException.class,
                            e -> new RecordTimeoutException(record.partition(), record.offset(), limit));
        }
        @Nullable BiFunction<ConsumerRecord, Throwable, Publisher<?>> deadLetter = spec.deadLetter();
        if (deadLetter != null) {
            work = work.onErrorResume(
                    e -> Flux.from(deadLetter.apply(record, e)).then());
        }
        return work.doOnSuccess(done -> record.acknowledge()).takeUntilOther(record.ended());
    }
}
