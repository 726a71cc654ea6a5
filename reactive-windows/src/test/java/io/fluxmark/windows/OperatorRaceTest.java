package io.fluxmark.windows;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.test.subscriber.TestSubscriber;
import reactor.test.util.RaceTestUtils;

/** Signals that cross: nothing is lost, nothing comes twice, nothing leaks. */
class OperatorRaceTest {

    private static final int ROUNDS =
            System.getProperty("fluxmark.tier", "small").equals("thorough") ? 20_000 : 1_000;
    private static final Duration WAIT = Duration.ofSeconds(20);

    /** An operator over runs, and how to count the events in what it emits. */
    private record Subject(
            String name, Function<Flux<StreamElement<String>>, Flux<?>> operator, Function<Object, Integer> events) {}

    private static Stream<Subject> subjects() {
        Early everyOne = Early.everyCount(1);
        return Stream.of(
                windows("window", WindowSpec.tumbling(Duration.ofMillis(10))),
                windows("session", WindowSpec.session(Duration.ofMillis(5))),
                windows("count", WindowSpec.count(1)),
                windows("global", WindowSpec.global().early(everyOne)),
                new Subject("process", source -> process(source, 0), OperatorRaceTest::size),
                new Subject("process with timers", source -> process(source, 3), OperatorRaceTest::size),
                new Subject(
                        "partitions",
                        source -> source.transform(EventTime.assignByPartition(
                                2,
                                value -> value.charAt(0) - 'a',
                                value -> Long.parseLong(value.substring(1)),
                                WatermarkSpec.ascending())),
                        OperatorRaceTest::size),
                new Subject(
                        "map many",
                        source -> ahead(source).transform(Elements.mapMany(List::of)),
                        OperatorRaceTest::size),
                new Subject(
                        "map async",
                        source -> ahead(source).transform(Elements.mapAsync(2, Mono::just)),
                        OperatorRaceTest::size),
                new Subject(
                        "union",
                        source -> Elements.union(List.of(source, Flux.<StreamElement<String>>empty())),
                        OperatorRaceTest::size),
                new Subject("values", source -> source.transform(EventTime.values()), value -> 1),
                new Subject(
                        "map",
                        source -> OperatorFlux.of(source, "map", actual -> new MapOperator<>(actual, v -> v)),
                        OperatorRaceTest::size));
    }

    /** Takes what the source sends ahead of what an operator asks for that takes one at a time. */
    private static Flux<StreamElement<String>> ahead(Flux<StreamElement<String>> source) {
        return source.publishOn(Schedulers.immediate(), 4);
    }

    /** Emits once for each event: at once, or by a timer some time later. */
    private static Flux<StreamElement<String>> process(Flux<StreamElement<String>> source, long after) {
        ProcessTest.Function function = new ProcessTest.Function(
                List.of(),
                (event, context) -> {
                    if (after == 0) {
                        context.emit(event);
                    } else {
                        context.setTimer(context.timestamp() + after);
                    }
                },
                context -> context.emit(context.key()));
        return EventFlux.fromElements(source)
                .keyBy(value -> value)
                .process(function)
                .elements();
    }

    /** Each of the four events, of a key of its own, becomes one result. */
    private static Subject windows(String name, WindowSpec windows) {
        return new Subject(
                name,
                source -> source.transform(Windows.aggregate(value -> value, windows, Aggregations.counting())),
                OperatorRaceTest::size);
    }

    private static int size(Object element) {
        return element instanceof EventBatch<?> run ? run.size() : 0;
    }

    private static StreamElement<String> timed(int i) {
        long before = i == 0 ? Watermark.NONE : 10L * i - 1;
        return EventBatch.<String>builder()
                .add("a" + i, 10L * i, before)
                .add("b" + i, 10L * i, before)
                .build(10L * i + 9);
    }

    private static Stream<DynamicTest> forEach(java.util.function.Consumer<Subject> test) {
        return subjects()
                .map(subject -> DynamicTest.dynamicTest(subject.name(), () -> {
                    for (int i = 0; i < ROUNDS; i++) {
                        test.accept(subject);
                    }
                    System.out.printf("race of %s: %d rounds%n", subject.name(), ROUNDS);
                }));
    }

    @TestFactory
    Stream<DynamicTest> demandAgainstInputAndCompletion() {
        return forEach(subject -> {
            ManualSource<StreamElement<String>> source = new ManualSource<>();
            TestSubscriber<Object> subscriber =
                    TestSubscriber.builder().initialRequest(0).build();
            subject.operator().apply(source).subscribe(subscriber);
            if (subject.name().equals("map")) {
                subscriber.request(3); // without a queue it takes input only on demand
            }
            RaceTestUtils.race(
                    () -> {
                        source.next(timed(0));
                        source.next(timed(1));
                        source.complete();
                    },
                    () -> {
                        subscriber.request(1);
                        subscriber.request(1);
                        subscriber.request(Long.MAX_VALUE);
                    });
            subscriber.block(WAIT);
            assertThat(subscriber.isTerminatedComplete()).isTrue();
            assertThat(subscriber.getProtocolErrors()).isEmpty();
            assertThat(subscriber.getReceivedOnNext().stream()
                            .mapToInt(subject.events()::apply)
                            .sum())
                    .isEqualTo(4);
        });
    }

    @TestFactory
    Stream<DynamicTest> cancelAgainstInput() {
        return forEach(subject -> {
            ManualSource<StreamElement<String>> source = new ManualSource<>();
            List<Object> discarded = Collections.synchronizedList(new ArrayList<>());
            TestSubscriber<Object> subscriber = TestSubscriber.builder()
                    .initialRequest(subject.name().equals("values") ? 1 : Long.MAX_VALUE)
                    .build();
            Flux.from(subject.operator().apply(source))
                    .doOnDiscard(String.class, discarded::add)
                    .subscribe(subscriber);
            RaceTestUtils.race(
                    () -> {
                        source.next(timed(0));
                        source.next(timed(1));
                    },
                    subscriber::cancel);
            assertThat(source.cancels).hasValue(1);
            assertThat(subscriber.isTerminated()).isFalse();
            assertThat(subscriber.getProtocolErrors()).isEmpty();
            Set<Object> once = new HashSet<>(discarded);
            assertThat(discarded).hasSameSizeAs(once);
            if (subject.name().equals("values")) {
                List<Object> all = new ArrayList<>(discarded);
                all.addAll(subscriber.getReceivedOnNext());
                assertThat(all).containsExactlyInAnyOrder("a0", "b0", "a1", "b1");
            }
        });
    }

    @TestFactory
    Stream<DynamicTest> cancelAgainstDemand() {
        return forEach(subject -> {
            ManualSource<StreamElement<String>> source = new ManualSource<>();
            TestSubscriber<Object> subscriber =
                    TestSubscriber.builder().initialRequest(0).build();
            subject.operator().apply(source).subscribe(subscriber);
            if (!subject.name().equals("map")) {
                source.next(timed(0));
                source.next(timed(1));
            }
            RaceTestUtils.race(() -> subscriber.request(Long.MAX_VALUE), subscriber::cancel);
            assertThat(source.cancels).hasValue(1);
            assertThat(subscriber.isTerminated()).isFalse();
            assertThat(subscriber.getProtocolErrors()).isEmpty();
        });
    }
}
