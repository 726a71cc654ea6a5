package io.fluxmark.windows;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import reactor.core.publisher.Flux;
import reactor.test.subscriber.TestSubscriber;

/** What becomes of events on which a user's own functions fail. */
class UserCodeTest {

    private static final WindowSpec TEN = WindowSpec.tumbling(Duration.ofMillis(10));
    private static final WatermarkSpec SPEC = WatermarkSpec.ascending();
    private static final long BAD = 37;

    /** What a function throws, of a type by which somebody may want to retry. */
    private static final class Failure extends RuntimeException {

        private static final long serialVersionUID = 1L;

        Failure() {
            super("on purpose");
        }
    }

    private static void failOn(long value) {
        if (value == BAD) {
            throw new Failure();
        }
    }

    private static <R> Function<Long, R> failing(Function<Long, R> function) {
        return value -> {
            failOn(value);
            return function.apply(value);
        };
    }

    private static Flux<?> counted(EventFlux<Long> timed, Function<Long, String> key) {
        return timed.keyBy(key)
                .window(TEN)
                .lateTo(late -> failOn(late.value()))
                .aggregate(Aggregations.counting())
                .toFlux();
    }

    /** Pipelines of events at their own time, in each of which another function fails. */
    private static Map<String, Function<EventFlux<Long>, Flux<?>>> pipelines() {
        return Map.of(
                "map",
                events -> events.watermarksMillis(Long::longValue, SPEC)
                        .map(failing(value -> value))
                        .toFlux(),
                "filter",
                events -> events.watermarksMillis(Long::longValue, SPEC)
                        .filter(failing(value -> true)::apply)
                        .toFlux(),
                "a filter before there is time",
                events -> events.filter(failing(value -> true)::apply).toFlux(),
                "key",
                events -> counted(events.watermarksMillis(Long::longValue, SPEC), failing(value -> "k")),
                "key that is a long",
                events -> events.watermarksMillis(Long::longValue, SPEC)
                        .keyByLong(failing(value -> value)::apply)
                        .window(TEN)
                        .aggregate(Aggregations.counting())
                        .toFlux(),
                "late output",
                events -> counted(events.watermarksMillis(value -> value == BAD ? 0 : value, SPEC), value -> "k"),
                "invalid output",
                events -> events.watermarks(
                                value -> value == BAD ? Long.MAX_VALUE : value,
                                SPEC,
                                invalid -> failOn((Long) invalid.event()))
                        .toFlux(),
                "aggregation",
                events -> events.watermarksMillis(Long::longValue, SPEC)
                        .keyBy(value -> "k")
                        .window(TEN)
                        .aggregate(Aggregations.<Long>summingLong(failing(value -> value)::apply))
                        .toFlux(),
                "aggregation where no window closes",
                events -> events.watermarksMillis(Long::longValue, SPEC)
                        .keyBy(value -> "k")
                        .window(WindowSpec.tumbling(Duration.ofDays(1)))
                        .aggregate(Aggregations.<Long>summingLong(failing(value -> value)::apply))
                        .toFlux());
    }

    @TestFactory
    Stream<DynamicTest> c73AFunctionThatFailsEndsTheStreamNamingTheEventAndNothingFollows() {
        return pipelines().entrySet().stream().flatMap(pipeline -> Stream.of(1, 7, 256)
                .map(run -> DynamicTest.dynamicTest(
                        pipeline.getKey() + " in runs of " + run, () -> fails(pipeline.getValue(), run))));
    }

    private static void fails(Function<EventFlux<Long>, Flux<?>> pipeline, int run) {
        TestSubscriber<Object> subscriber = TestSubscriber.create();
        long[] sent = {0};
        Flux<Long> events = Flux.range(0, 100).map(Integer::longValue).doOnNext(i -> sent[0]++);
        pipeline.apply(EventFlux.from(events, run)).cast(Object.class).subscribe(subscriber);
        assertThat(subscriber.expectTerminalError()).isInstanceOf(Failure.class).satisfies(failure -> assertThat(
                        failure.getSuppressed())
                .extracting(Throwable::getMessage)
                .anyMatch(message -> message.startsWith("failed on the event " + BAD)));
        assertThat(subscriber.getReceivedOnNext())
                .hasSizeLessThanOrEqualTo((int) BAD)
                .doesNotContain(BAD, BAD + 1);
        assertThat(subscriber.getProtocolErrors()).isEmpty();
        assertThat(sent[0]).as("the source is cancelled").isLessThanOrEqualTo(Math.max(256, 2L * run) + BAD);
    }

    @Test
    void anEventIsNamedWithItsTimeAndNotAtAnyLength() {
        String name = "x".repeat(1_000);
        TestSubscriber<String> subscriber = TestSubscriber.create();
        EventFlux.from(Flux.just(name))
                .watermarksMillis(value -> 5, SPEC)
                .<String>map(value -> {
                    throw new Failure();
                })
                .toFlux()
                .subscribe(subscriber);
        assertThat(subscriber.expectTerminalError().getSuppressed()[0])
                .hasMessage("failed on the event " + "x".repeat(200) + "... at 5 ms");
    }

    @Test
    void anExceptionThatIsAConstantDoesNotGrow() {
        Failure constant = new Failure();
        Flux<Long> failing = EventFlux.from(Flux.just(1L))
                .<Long>map(value -> {
                    throw constant;
                })
                .toFlux();
        for (int i = 0; i < 100; i++) {
            failing.onErrorComplete().blockLast(Duration.ofSeconds(10));
        }
        assertThat(constant.getSuppressed()).hasSizeLessThanOrEqualTo(10);
    }

    @Test
    void c73WhereTimestampsFailAtRandomEveryEventIsProcessedOrInTheInvalidOutput() {
        int count = 100_000;
        Random random = new Random(73);
        List<Object> invalid = new ArrayList<>();
        AtomicReference<LiveCounters> counters = new AtomicReference<>();
        long processed = EventFlux.from(Flux.range(0, count))
                .watermarks(
                        (Integer i) -> {
                            if (random.nextInt(10) == 0) {
                                throw new Failure();
                            }
                            return i;
                        },
                        SPEC,
                        rejected -> invalid.add(rejected.event()))
                .keyBy(i -> i % 7)
                .window(TEN)
                .countersTo(counters::set)
                .aggregate(Aggregations.counting())
                .toFlux()
                .reduce(0L, (sum, result) -> sum + result.value())
                .block(Duration.ofSeconds(30));
        assertThat(invalid).doesNotHaveDuplicates().hasSizeBetween(count / 20, count / 5);
        assertThat(processed + invalid.size()).isEqualTo(count);
        assertThat(counters.get().snapshot().get(Counter.INGESTED)).isEqualTo(processed);
        System.out.printf("failing timestamps: %d events, %d invalid, seed 73%n", count, invalid.size());
    }
}
