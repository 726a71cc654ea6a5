package io.fluxmark.state;

import io.fluxmark.windows.Aggregation;
import io.fluxmark.windows.Aggregations;
import io.fluxmark.windows.CheckpointBarrier;
import io.fluxmark.windows.EventBatch;
import io.fluxmark.windows.EventFlux;
import io.fluxmark.windows.LaneContext;
import io.fluxmark.windows.LiveCounters;
import io.fluxmark.windows.StateBackend;
import io.fluxmark.windows.StreamElement;
import io.fluxmark.windows.WindowResult;
import io.fluxmark.windows.WindowSpec;
import java.util.ArrayList;
import java.util.List;
import reactor.core.Disposable;
import reactor.core.Scannable;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** A windowed pipeline whose state is in a store; it can be stopped behind a barrier, and started again from there. */
final class StoredWindows {

    /** An event: a key and its time. */
    record Event(String key, long time) {}

    /** A lane that is nothing but its state. */
    record Lane(StateBackend state) implements LaneContext {

        @Override
        public Scheduler clock() {
            return Schedulers.parallel();
        }

        @Override
        public void counters(String operator, LiveCounters live) {
            // nobody looks
        }
    }

    private final StateStore store;
    private final WindowSpec windows;
    private final long budget;
    private final Aggregation<Event, ?, Long> aggregation;
    private final List<String> out = new ArrayList<>();
    private long results;
    private Sinks.Many<StreamElement<Event>> input;
    private LaneSession session;
    private LaneStateBackend state;
    private Disposable running;

    StoredWindows(StateStore store, WindowSpec windows, long budget) {
        this(store, windows, budget, Aggregations.counting());
    }

    StoredWindows(StateStore store, WindowSpec windows, long budget, Aggregation<Event, ?, Long> aggregation) {
        this.aggregation = aggregation;
        this.store = store;
        this.windows = windows;
        this.budget = budget;
        start();
    }

    private void start() {
        session = Stores.lane(store, 0);
        state = LaneStateBackend.of(session, budget);
        Lane lane = new Lane(state);
        input = Sinks.many().unicast().onBackpressureBuffer();
        running = EventFlux.fromElements(input.asFlux())
                .keyBy(Event::key)
                .window(windows)
                .aggregate(aggregation)
                .elements(() -> lane)
                .subscribe(this::take, failure -> {
                    throw new AssertionError(failure);
                });
    }

    private void take(StreamElement<WindowResult<String, Long>> element) {
        if (element instanceof EventBatch<WindowResult<String, Long>> run) {
            results += run.size();
            for (int i = 0; i < run.size(); i++) {
                out.add(run.timestamp(i) + " " + run.sign(i) + " " + run.value(i));
            }
        }
    }

    void push(StreamElement<Event> element) {
        input.tryEmitNext(element).orThrow();
    }

    /** Commits what has changed. */
    void barrier() {
        LaneTransaction transaction = session.begin();
        push(new CheckpointBarrier<>(transaction, List.of(), false));
        Stores.await(session.submit(transaction));
    }

    /** Stops, and goes on from the last barrier. */
    void restart() {
        running.dispose();
        start();
    }

    /** Barriers until what was dropped is gone from the file. */
    void clean() {
        barrier();
        for (int i = 0; Stores.await(store.info()).pendingRanges() > 0; i++) {
            if (i == 10_000) {
                throw new AssertionError("the store still removes entries after " + i + " barriers");
            }
            barrier();
        }
    }

    /** How many entries the operator holds. */
    long held() {
        return (Long) Scannable.from(running)
                .parents()
                .map(operator -> operator.scanUnsafe(Scannable.Attr.LARGE_BUFFERED))
                .filter(Long.class::isInstance)
                .findFirst()
                .orElseThrow();
    }

    /** How many entries of windows and of the index of what is due are in the file; longs and codecs left aside. */
    long stored() {
        long longs = Stores.await(store.longs("job", 0).count());
        return Stores.await(store.readState("job", 0, new byte[0], null).count()) - longs - codecs();
    }

    /** A codec record for each operator's state: of the windows, and where they live per key of the index. */
    private int codecs() {
        return switch (windows.kind()) {
            case TUMBLING, SLIDING, CALENDAR -> 1;
            case SESSION, COUNT, GLOBAL -> 2;
        };
    }

    /** Heap that the state takes. */
    long heapBytes() {
        return state.heapBytes();
    }

    List<String> out() {
        return out;
    }

    long results() {
        return results;
    }
}
