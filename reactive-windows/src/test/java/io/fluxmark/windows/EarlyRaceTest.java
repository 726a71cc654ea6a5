package io.fluxmark.windows;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import reactor.test.subscriber.TestSubscriber;
import reactor.test.util.RaceTestUtils;

/** Ticks for early results that cross input, demand and a cancel: what is left when all is taken back is the result. */
class EarlyRaceTest {

    private static final int ROUNDS =
            System.getProperty("fluxmark.tier", "small").equals("thorough") ? 10_000 : 500;

    /** A windowed pipeline in virtual time. */
    private static final class Subject {

        final ManualSource<StreamElement<String>> source = new ManualSource<>();
        final TestLane lane = new TestLane();
        final TestSubscriber<Object> subscriber;

        Subject(WindowSpec windows, long demand) {
            subscriber = TestSubscriber.builder().initialRequest(demand).build();
            EventFlux.fromElements(source)
                    .keyBy(value -> value)
                    .window(windows.early(Early.every(Duration.ofMillis(10))))
                    .aggregate(Aggregations.counting())
                    .elements(() -> lane)
                    .cast(Object.class)
                    .subscribe(subscriber);
        }

        void run(long time) {
            source.next(EventBatch.<String>builder()
                    .add("a", time, Watermark.NONE)
                    .add("b", time, Watermark.NONE)
                    .build(Watermark.NONE));
        }

        void ticks() {
            lane.clock.advanceTimeBy(Duration.ofMillis(10));
            lane.clock.advanceTimeBy(Duration.ofMillis(30));
        }

        List<WindowResult<String, Long>> results() {
            List<WindowResult<String, Long>> results = new ArrayList<>();
            for (Object element : subscriber.getReceivedOnNext()) {
                if (element instanceof EventBatch<?> run) {
                    for (int i = 0; i < run.size(); i++) {
                        @SuppressWarnings("unchecked") // what this pipeline emits
                        WindowResult<String, Long> result = (WindowResult<String, Long>) run.value(i);
                        results.add(result);
                    }
                }
            }
            return results;
        }
    }

    private static Map<String, WindowSpec> kinds() {
        Map<String, WindowSpec> kinds = new LinkedHashMap<>();
        kinds.put("tumbling", WindowSpec.tumbling(Duration.ofMillis(100)));
        kinds.put("session", WindowSpec.session(Duration.ofMillis(50)));
        kinds.put("count", WindowSpec.count(9));
        kinds.put("global", WindowSpec.global());
        return kinds;
    }

    private static Stream<DynamicTest> forEach(String what, long demand, Consumer<Subject> race) {
        return kinds().entrySet().stream()
                .map(kind -> DynamicTest.dynamicTest(kind.getKey(), () -> {
                    for (int i = 0; i < ROUNDS; i++) {
                        race.accept(new Subject(kind.getValue(), demand));
                    }
                    System.out.printf("race of ticks and %s, %s: %d rounds%n", what, kind.getKey(), ROUNDS);
                }));
    }

    @TestFactory
    Stream<DynamicTest> inputDemandAndTheEnd() {
        return forEach("input, demand and the end", 1, test -> {
            test.run(1);
            RaceTestUtils.race(
                    test::ticks,
                    () -> {
                        test.run(2);
                        test.run(3);
                        test.source.next(new Watermark<>(Watermark.END));
                        test.source.complete();
                    },
                    () -> {
                        test.subscriber.request(1);
                        test.subscriber.request(Long.MAX_VALUE);
                    });
            assertThat(test.subscriber.isTerminatedComplete()).isTrue();
            assertThat(test.subscriber.getProtocolErrors()).isEmpty();
            assertThat(PlainBatch.fold(test.results()).values()).containsExactlyInAnyOrder(3L, 3L);
            assertThat(test.lane.timers()).isZero();
        });
    }

    @TestFactory
    Stream<DynamicTest> withoutDemandNothingComes() {
        return forEach("no demand", 0, test -> {
            RaceTestUtils.race(test::ticks, () -> {
                test.run(1);
                test.run(2);
            });
            assertThat(test.subscriber.getReceivedOnNext()).isEmpty();
        });
    }

    @TestFactory
    Stream<DynamicTest> cancel() {
        return forEach("a cancel", Long.MAX_VALUE, test -> {
            test.run(1);
            RaceTestUtils.race(test::ticks, () -> test.run(2), test.subscriber::cancel);
            assertThat(test.source.cancels).hasValue(1);
            assertThat(test.subscriber.isTerminated()).isFalse();
            assertThat(test.subscriber.getProtocolErrors()).isEmpty();
            assertThat(test.lane.timers()).isZero();
        });
    }
}
