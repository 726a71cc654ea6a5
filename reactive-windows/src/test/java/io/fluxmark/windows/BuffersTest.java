package io.fluxmark.windows;

import static org.assertj.core.api.Assertions.assertThat;

import io.fluxmark.windows.internal.DrainOperator;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.reactivestreams.Subscription;
import reactor.core.Scannable;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.test.scheduler.VirtualTimeScheduler;
import reactor.test.subscriber.TestSubscriber;

/** What is requested and in flight, of whole pipelines, is what their operators declare, whatever timers do. */
class BuffersTest {

    private static final int EVENTS =
            System.getProperty("fluxmark.tier", "small").equals("thorough") ? 200_000 : 20_000;
    private static final WatermarkSpec SPEC = WatermarkSpec.ascending()
            .onFarFuture(WatermarkSpec.FarFuture.TRUST)
            .idleAfter(Duration.ofMillis(5))
            .followClockWhenIdle(Duration.ofMillis(7));
    private static final WindowSpec TEN = WindowSpec.tumbling(Duration.ofMillis(10));

    /** Pipelines that hand on each event, or a result for each. */
    private static Map<String, Function<EventFlux<Long>, EventFlux<?>>> pipelines(WindowSpec windows) {
        return Map.of(
                "time",
                events -> events.watermarksMillis(Long::longValue, SPEC),
                "processing time",
                events -> events.processingTime(Duration.ofMillis(3)).map(value -> value),
                "partitions, map and filter",
                events -> events.watermarksByPartition(
                                3, value -> (int) (value % 3), Long::longValue, SPEC, invalid -> {})
                        .map(value -> value)
                        .filter(value -> true),
                "a window for each event",
                events -> events.watermarksMillis(value -> 10 * value, SPEC)
                        .keyBy(value -> "k")
                        .window(windows)
                        .aggregate(Aggregations.counting()));
    }

    private static Stream<DynamicTest> forEach(WindowSpec windows, TestOf test) {
        return pipelines(windows).entrySet().stream().flatMap(pipeline -> Stream.of(1, 16)
                .map(run -> DynamicTest.dynamicTest(
                        pipeline.getKey() + " in runs of " + run, () -> test.run(pipeline.getValue(), run))));
    }

    private interface TestOf {
        void run(Function<EventFlux<Long>, EventFlux<?>> pipeline, int runSize);
    }

    /** C68: what is batched by size and time asks for no more than a run, and a timer asks for nothing. */
    @TestFactory
    Stream<DynamicTest> c68TheOutstandingRequestIsNeverMoreThanARun() {
        return forEach(TEN.early(Early.every(Duration.ofMillis(2))), (pipeline, runSize) -> {
            VirtualTimeScheduler clock = VirtualTimeScheduler.create();
            ManualSource<Long> source = new ManualSource<>();
            TestSubscriber<Object> subscriber =
                    TestSubscriber.builder().initialRequest(0).build();
            Flux<? extends StreamElement<?>> elements =
                    pipeline.apply(EventFlux.from(source, runSize)).elements(() -> LaneContext.local(clock));
            elements.cast(Object.class).subscribe(subscriber);
            Random random = new Random(68);
            long sent = 0;
            for (int i = 0; i < EVENTS / 10; i++) {
                switch (random.nextInt(3)) {
                    case 0 -> subscriber.request(random.nextInt(3) + 1L);
                    case 1 -> clock.advanceTimeBy(Duration.ofMillis(random.nextInt(4)));
                    default -> {
                        for (int n = random.nextInt(runSize + 1); n > 0 && sent < source.requested.get(); n--) {
                            source.next(sent++);
                        }
                    }
                }
                assertThat(source.requested.get() - sent).isBetween(0L, (long) runSize);
            }
            assertThat(subscriber.getProtocolErrors()).isEmpty();
            assertThat(sent).isPositive();
        });
    }

    /** C71: what is sent and not received is within the prefetches, and the operators show it. */
    @TestFactory
    Stream<DynamicTest> c71WhatIsInFlightIsWithinThePrefetchesAndTheGaugesShowIt() {
        return forEach(TEN, (pipeline, runSize) -> {
            AtomicLong sent = new AtomicLong();
            Flux<Long> source = Flux.range(0, EVENTS).map(Integer::longValue).doOnNext(i -> sent.incrementAndGet());
            SlowSubscriber subscriber = new SlowSubscriber();
            VirtualTimeScheduler clock = VirtualTimeScheduler.create();
            pipeline.apply(EventFlux.from(source.hide(), runSize))
                    .elements(() -> LaneContext.local(clock))
                    .transform(BuffersTest::values)
                    .subscribe(subscriber);
            long most = 0;
            while (!subscriber.isDisposed()) {
                long inFlight = sent.get() - subscriber.received;
                long declared = 0;
                long shown = 0;
                for (Scannable operator : subscriber.operators) {
                    boolean takesValues = operator == subscriber.operators.get(subscriber.operators.size() - 1);
                    int prefetch = operator.scanOrDefault(Scannable.Attr.PREFETCH, 0);
                    declared += takesValues ? prefetch + runSize : (prefetch + 1L) * runSize;
                    shown += operator.scanOrDefault(Scannable.Attr.LARGE_BUFFERED, 0L); // in open windows
                    shown += (long) operator.scanOrDefault(Scannable.Attr.BUFFERED, 0) * (takesValues ? 1 : runSize);
                }
                assertThat(inFlight).isBetween(0L, declared);
                assertThat(inFlight)
                        .as("beside what waits each operator has one run in work")
                        .isLessThanOrEqualTo(shown + (long) runSize * subscriber.operators.size());
                most = Math.max(most, inFlight);
                clock.advanceTimeBy(Duration.ofMillis(1));
                subscriber.request(1);
            }
            assertThat(subscriber.received).isEqualTo(EVENTS);
            assertThat(most).isPositive();
            System.out.printf("in flight in runs of %d: at most %d of %d events%n", runSize, most, EVENTS);
        });
    }

    @SuppressWarnings("unchecked") // only the number of values matters
    private static Flux<Object> values(Flux<? extends StreamElement<?>> elements) {
        return (Flux<Object>) (Flux<?>) ((Flux<StreamElement<Object>>) elements).transform(EventTime.values());
    }

    /** Takes one value at a time. */
    private static final class SlowSubscriber extends BaseSubscriber<Object> {

        private List<Scannable> operators = List.of();
        private long received;

        @Override
        protected void hookOnSubscribe(Subscription subscription) {
            Scannable last = Scannable.from(subscription);
            operators = Stream.concat(Stream.of(last), last.parents())
                    .filter(DrainOperator.class::isInstance)
                    .map(Scannable.class::cast)
                    .toList();
        }

        @Override
        protected void hookOnNext(Object value) {
            received++;
        }
    }
}
