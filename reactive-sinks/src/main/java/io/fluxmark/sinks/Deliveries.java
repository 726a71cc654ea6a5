package io.fluxmark.sinks;

import io.fluxmark.state.LaneSession;
import io.fluxmark.state.LaneTransaction;
import java.util.List;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** What the sinks of one lane deliver elsewhere, as one. */
final class Deliveries {

    private final List<Delivery> all;
    private final LaneSession session;

    Deliveries(List<Delivery> all, LaneSession session) {
        this.all = List.copyOf(all);
        this.session = session;
    }

    boolean isEmpty() {
        return all.isEmpty();
    }

    /** A transaction of the lane is durable. */
    void committed(LaneTransaction transaction) {
        all.forEach(delivery -> delivery.committed(transaction));
    }

    /** Whether the lane has to wait until rows have been delivered. */
    boolean areFull() {
        return all.stream().anyMatch(Delivery::isFull);
    }

    /** Called when there is room again, on any thread. */
    void onRoom(Runnable action) {
        all.forEach(delivery -> delivery.onRoom(action));
    }

    /** The lane has come to its end, and its last transaction is durable. */
    void laneEnded() {
        all.forEach(Delivery::laneEnded);
    }

    /** Delivers until the lane has ended and all rows have arrived; then removes the last of them and completes. */
    Mono<Void> run() {
        return Flux.fromIterable(all)
                .flatMap(Delivery::run, Math.max(1, all.size()))
                .then(Mono.defer(this::removeLast));
    }

    private Mono<Void> removeLast() {
        if (all.stream().noneMatch(Delivery::hasRemovable)) {
            return Mono.empty();
        }
        // The lane's last transaction is durable, so this one is next.
        LaneTransaction transaction = session.begin();
        all.forEach(delivery -> delivery.flush(transaction));
        return session.submit(transaction).then();
    }
}
