package io.fluxmark.windows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Scheduler;
import reactor.test.StepVerifier;
import reactor.test.scheduler.VirtualTimeScheduler;
import reactor.test.subscriber.TestSubscriber;

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

    /** A lane whose state a restart finds again, on a clock of its own. */
    private record ClockedLane(TestLane lane, Scheduler clock) implements LaneContext {

        @Override
        public StateBackend state() {
            return lane.state();
        }

        @Override
        public void counters(String operator, LiveCounters live) {
            lane.counters(operator, live);
        }
    }

    private static TestSubscriber<StreamElement<String>> open(
            ManualSource<StreamElement<String>> source, TestLane lane, Scheduler clock) {
        TestSubscriber<StreamElement<String>> subscriber = TestSubscriber.create();
        EventFlux.fromElements(source)
                .processingTime(TICK)
                .elements(() -> new ClockedLane(lane, clock))
                .subscribe(subscriber);
        return subscriber;
    }

    private static List<String> texts(TestSubscriber<StreamElement<String>> subscriber) {
        return subscriber.getReceivedOnNext().stream()
                .filter(element -> !(element instanceof CheckpointBarrier<String>))
                .map(Object::toString)
                .toList();
    }

    @Test
    void s47OverARestartAClockThatStandsBackMovesNothingBackEither() {
        AtomicLong now = new AtomicLong(5_000);
        TestLane lane = new TestLane();
        ManualSource<StreamElement<String>> source = new ManualSource<>();
        TestSubscriber<StreamElement<String>> subscriber = open(source, lane, new SteppingClock(now));
        source.next(EventBatch.ofValues("a", "b"));
        source.next(lane.barrier());
        assertThat(texts(subscriber))
                .containsExactly(
                        "Watermark[timestamp=4999, byTimeout=false]", "EventBatch[a@5000, b@5000, after=4999]");
        subscriber.cancel();

        now.set(2_000);
        TestLane restarted = lane.restarted();
        ManualSource<StreamElement<String>> again = new ManualSource<>();
        subscriber = open(again, restarted, new SteppingClock(now));
        again.next(EventBatch.ofValues("c"));
        assertThat(texts(subscriber)).containsExactly("EventBatch[c@5000, after=4999]");
        now.set(7_000);
        again.next(EventBatch.ofValues("d"));
        assertThat(texts(subscriber).get(1)).isEqualTo("EventBatch[d@7000, after=6999]");
        assertThat(restarted.count(Counter.INGESTED)).isEqualTo(4);
    }

    /** Numbers are by how much the clock goes on; null is an event. */
    private static List<String> play(List<Long> script, int restartBefore) {
        AtomicLong now = new AtomicLong();
        TestLane lane = new TestLane();
        ManualSource<StreamElement<String>> source = new ManualSource<>();
        TestSubscriber<StreamElement<String>> subscriber = open(source, lane, new SteppingClock(now));
        List<String> out = new ArrayList<>();
        for (int i = 0; i < script.size(); i++) {
            if (i == restartBefore) {
                source.next(lane.barrier());
                out.addAll(texts(subscriber));
                subscriber.cancel();
                lane = lane.restarted();
                source = new ManualSource<>();
                subscriber = open(source, lane, new SteppingClock(now));
            }
            Long time = script.get(i);
            if (time == null) {
                source.next(EventBatch.ofValues("e" + i));
            } else {
                now.addAndGet(time);
            }
        }
        out.addAll(texts(subscriber));
        out.removeIf(
                text -> text.startsWith("Watermark")); // when one is told on its own depends on when there was a look
        out.add("ingested " + lane.count(Counter.INGESTED));
        return out;
    }

    @Property
    void s47ARestartBetweenAnyTwoElementsChangesNothing(@ForAll Random random) {
        List<Long> script = new ArrayList<>();
        for (int i = 1 + random.nextInt(20); i > 0; i--) {
            script.add(random.nextBoolean() ? null : (Long) (long) random.nextInt(3_000));
        }
        List<String> expected = play(script, -1);
        for (int at = 0; at < script.size(); at++) {
            assertThat(play(script, at))
                    .as("restart before step %d of %s", at, script)
                    .isEqualTo(expected);
        }
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
