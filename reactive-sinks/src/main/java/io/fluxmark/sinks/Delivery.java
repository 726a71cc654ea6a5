package io.fluxmark.sinks;

import io.fluxmark.state.LaneTransaction;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * Brings the committed rows of one lane to their receiver, beside the lane: a batch is under way at a time, and a row is
 * removed only by a transaction that follows its arrival. What is under way when the job ends is delivered again by the
 * next run, byte for byte.
 */
final class Delivery {

    private final OutboxQueue queue;
    private final RowSender sender;
    private final DeliverySpec spec;
    private final Scheduler scheduler;

    Delivery(OutboxQueue queue, RowSender sender, JobLane lane, DeliverySpec spec) {
        this.queue = queue;
        this.sender = sender;
        this.spec = spec;
        this.scheduler = lane.clock();
    }

    /** Adds rows and removals to the lane's transaction. */
    void flush(LaneTransaction transaction) {
        // What the sender remembers must not be ahead of what the queue takes for delivered.
        sender.flush(transaction);
        queue.flush(transaction);
    }

    void committed(LaneTransaction transaction) {
        queue.committed(transaction.id());
    }

    /** Whether the lane has to wait. */
    boolean isFull() {
        return queue.isFull(spec.unsent());
    }

    void onRoom(Runnable action) {
        queue.onRoom(action);
    }

    /** The lane has come to its end, and its last transaction is durable. */
    void laneEnded() {
        queue.end();
    }

    /**
     * Delivers until the lane has ended and all its rows have arrived. For one subscriber. Cancelling leaves what is under
     * way to the next run.
     */
    Mono<Void> run() {
        return Mono.defer(this::step).repeat(() -> !isDone()).then();
    }

    private boolean isDone() {
        return queue.isEnded() && !queue.hasUnsent();
    }

    private Mono<Void> step() {
        if (isDone()) {
            return Mono.empty();
        }
        if (!queue.hasUnsent()) {
            return queue.wake()
                    .until(() -> queue.hasUnsent() || queue.isEnded())
                    .publishOn(scheduler);
        }
        return queue.unsent(spec.batch())
                .collectList()
                .subscribeOn(scheduler)
                .flatMap(rows -> sender.send(rows).doOnNext(givenUp -> queue.acknowledge(rows.size(), givenUp)))
                .then();
    }

    boolean hasRemovable() {
        return queue.hasRemovable();
    }
}
