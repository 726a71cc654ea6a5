package io.fluxmark.windows;

import io.fluxmark.windows.internal.PassThroughOperator;
import org.jspecify.annotations.Nullable;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;

/** Takes the events out that have been there before (S39). Everything else passes, in order, at the same time. */
final class DedupeOperator<T, K, I> extends PassThroughOperator<StreamElement<T>, StreamElement<T>> {

    private final String name;
    private final DedupeLogic<T, K, I> logic;
    private final int[] kept = new int[EventBatch.MAX_SIZE];

    private DedupeOperator(CoreSubscriber<? super StreamElement<T>> actual, String name, DedupeLogic<T, K, I> logic) {
        super(actual);
        this.name = name;
        this.logic = logic;
    }

    static <T, K, I> Flux<StreamElement<T>> flux(
            Flux<StreamElement<T>> source, DedupeDefinition<T, K, I> definition, LaneContext lane) {
        return OperatorFlux.of(source, definition.name(), actual -> {
            LiveCounters counters = new LiveCounters();
            counters.restore(lane.state(), definition.name());
            lane.counters(definition.name(), counters);
            return new DedupeOperator<>(actual, definition.name(), new DedupeLogic<>(definition, lane, counters));
        });
    }

    @Override
    protected StreamElement<T> apply(StreamElement<T> element) {
        if (element instanceof EventBatch<T> run) {
            return judge(run);
        }
        if (element instanceof Watermark<T> progress) {
            logic.advance(progress.timestamp());
        } else if (element instanceof CheckpointBarrier<T> barrier) {
            logic.flush(barrier.transaction());
        }
        return element;
    }

    private StreamElement<T> judge(EventBatch<T> run) {
        int size = 0;
        int i = 0;
        try {
            for (; i < run.size(); i++) {
                if (logic.passes(run, i)) {
                    kept[size++] = i;
                }
            }
        } catch (Throwable t) {
            FailedEvent.addTo(t, run, i);
            throw t;
        }
        logic.advance(run.watermarkAfter());
        return run.keep(kept, size);
    }

    @Override
    @SuppressWarnings("rawtypes") // Scannable's own signature
    public @Nullable Object scanUnsafe(Attr key) {
        if (key == Attr.LARGE_BUFFERED) {
            return logic.entries();
        }
        return key == Attr.NAME ? name : super.scanUnsafe(key);
    }
}
