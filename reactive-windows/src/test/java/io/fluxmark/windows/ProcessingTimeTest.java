package io.fluxmark.windows;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Scheduler;
import reactor.test.StepVerifier;
import reactor.test.scheduler.VirtualTimeScheduler;

/** Windows in the time of the injected clock. */
class ProcessingTimeTest {

    private static final Duration TICK = Duration.ofSeconds(1);

    private final VirtualTimeScheduler clock = VirtualTimeScheduler.create();
    private final Sinks.Many<String> input = Sinks.many().unicast().onBackpressureBuffer();

    private Flux<String> windows() {
        return EventFlux.from(input.asFlux())
                .processingTime(TICK)
                .keyBy(value -> value)
                .window(WindowSpec.tumbling(Duration.ofSeconds(10)))
                .aggregate(Aggregations.counting())
                .elements(() -> LaneContext.local(clock))
                .transform(EventTime.values())
                .map(result -> result.key() + " " + WindowScript.text(result));
    }

    @Test
    void aWindowHoldsWhatWasTakenInItsTimeAndFiresByTheClockAlone() {
        StepVerifier.create(windows())
                .then(() -> input.tryEmitNext("a"))
                .then(() -> clock.advanceTimeBy(Duration.ofMillis(9_999)))
                .then(() -> input.tryEmitNext("a"))
                .expectNoEvent(Duration.ZERO)
                .then(() -> clock.advanceTimeBy(Duration.ofMillis(1_001)))
                .expectNext("a +[0,10000):2")
                .then(() -> input.tryEmitNext("b"))
                .then(input::tryEmitComplete)
                .expectNext("b +[10000,20000):1")
                .verifyComplete();
    }

    @Test
    void withoutDemandNothingIsToldAndTheNewestTimeCountsAfterwards() {
        Flux<StreamElement<String>> elements =
                EventFlux.from(input.asFlux()).processingTime(TICK).elements(() -> LaneContext.local(clock));
        StepVerifier.create(elements, 0)
                .then(() -> clock.advanceTimeBy(Duration.ofMinutes(1)))
                .thenRequest(1)
                .expectNext(new Watermark<>(59_999))
                .then(() -> clock.advanceTimeBy(Duration.ofMinutes(1)))
                .expectNoEvent(Duration.ZERO)
                .thenRequest(1)
                .expectNext(new Watermark<>(119_999))
                .thenCancel()
                .verify();
    }

    @Test
    void aClockThatStepsBackMovesNothingBack() {
        AtomicLong now = new AtomicLong(5_000);
        Flux<String> stamps = EventFlux.from(input.asFlux(), 1)
                .processingTime(TICK)
                .elements(() -> LaneContext.local(new SteppingClock(now)))
                .filter(element -> element instanceof EventBatch<String>)
                .map(Object::toString);
        StepVerifier.create(stamps)
                .then(() -> input.tryEmitNext("a"))
                .expectNext("EventBatch[a@5000, after=4999]")
                .then(() -> now.set(2_000))
                .then(() -> input.tryEmitNext("b"))
                .expectNext("EventBatch[b@5000, after=4999]")
                .then(() -> now.set(6_000))
                .then(() -> input.tryEmitNext("c"))
                .expectNext("EventBatch[c@6000, after=5999]")
                .thenCancel()
                .verify();
    }

    /** Tells what it is told to tell; its tasks never come. */
    private record SteppingClock(AtomicLong millis) implements Scheduler {

        @Override
        public long now(TimeUnit unit) {
            return unit.convert(millis.get(), TimeUnit.MILLISECONDS);
        }

        @Override
        public Disposable schedule(Runnable task) {
            return Disposables.disposed();
        }

        @Override
        public Disposable schedule(Runnable task, long delay, TimeUnit unit) {
            return Disposables.disposed();
        }

        @Override
        public Worker createWorker() {
            throw new UnsupportedOperationException("not needed");
        }
    }

    @Test
    void aTickIsAtLeastAMillisecond() {
        assertThatThrownBy(() -> EventFlux.from(input.asFlux()).processingTime(Duration.ZERO))
                .hasMessageContaining("at least 1 ms but was PT0S");
    }
}
