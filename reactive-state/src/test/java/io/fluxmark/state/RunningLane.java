package io.fluxmark.state;

import io.fluxmark.windows.CheckpointBarrier;
import io.fluxmark.windows.EventBatch;
import io.fluxmark.windows.EventFlux;
import io.fluxmark.windows.StreamElement;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import reactor.core.Disposable;
import reactor.core.Scannable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Sinks;

/** A lane of a store that runs a pipeline; it can be stopped behind a barrier, and started again from there. */
final class RunningLane<T, R> {

    private final StateStore store;
    private final long budget;
    private final Function<Flux<StreamElement<T>>, EventFlux<R>> pipeline;
    final List<String> out = new ArrayList<>();
    long emitted;
    private Sinks.Many<StreamElement<T>> input;
    private LaneSession session;
    LaneStateBackend backend;
    private Disposable running;

    RunningLane(StateStore store, long budget, Function<Flux<StreamElement<T>>, EventFlux<R>> pipeline) {
        this.store = store;
        this.budget = budget;
        this.pipeline = pipeline;
        start();
    }

    private void start() {
        session = Stores.lane(store, 0);
        backend = LaneStateBackend.of(session, budget);
        StoredWindows.Lane lane = new StoredWindows.Lane(backend);
        input = Sinks.many().unicast().onBackpressureBuffer();
        running = pipeline.apply(input.asFlux()).elements(() -> lane).subscribe(this::take, failure -> {
            throw new AssertionError(failure);
        });
    }

    private void take(StreamElement<R> element) {
        if (element instanceof EventBatch<R> run) {
            emitted += run.size();
            for (int i = 0; i < run.size() && emitted < 10_000; i++) {
                out.add(run.timestamp(i) + " " + run.value(i));
            }
        }
    }

    void push(StreamElement<T> element) {
        input.tryEmitNext(element).orThrow();
    }

    void barrier() {
        LaneTransaction transaction = session.begin();
        push(new CheckpointBarrier<>(transaction, List.of(), false));
        Stores.await(session.submit(transaction));
    }

    void restart() {
        running.dispose();
        start();
    }

    /** Barriers until what was dropped is gone from the file. */
    void clean() {
        barrier();
        for (int i = 0; i < 10_000 && Stores.await(store.info()).pendingRanges() > 0; i++) {
            barrier();
        }
    }

    long held() {
        return (Long) Scannable.from(running)
                .parents()
                .map(operator -> operator.scanUnsafe(Scannable.Attr.LARGE_BUFFERED))
                .filter(Long.class::isInstance)
                .findFirst()
                .orElseThrow();
    }

    /** How many entries of states, timers and deadlines are in the file; longs and headers left aside. */
    long stored() {
        return Stores.await(store.readState("job", 0, new byte[0], null)
                .filter(entry -> entry.key()[0] == 1 || entry.key()[0] == 2)
                .count());
    }
}
