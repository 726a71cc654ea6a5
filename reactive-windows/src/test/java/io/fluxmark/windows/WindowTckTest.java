package io.fluxmark.windows;

import java.time.Duration;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;

/** The Reactive Streams TCK over the stateful operators. */
class WindowTckTest {

    private static final WindowSpec TEN = WindowSpec.tumbling(Duration.ofMillis(10));

    /** Kinds of windows of which each input becomes one output. */
    private static final Map<String, WindowSpec> KINDS = Map.of(
            "tumbling", TEN,
            "session", WindowSpec.session(Duration.ofMillis(5)),
            "count", WindowSpec.count(1),
            "global", WindowSpec.global().early(Early.everyCount(1)));

    /** As many inputs as there will be outputs: each closes the window of its one event. */
    private static Flux<StreamElement<Long>> inputs(long count) {
        Flux<Long> numbers = Flux.generate(() -> 0L, (i, sink) -> {
            if (i == count) {
                sink.complete();
            } else {
                sink.next(i);
            }
            return i + 1;
        });
        return numbers.map(i -> EventBatch.<Long>builder()
                .add(i, 10 * i, i == 0 ? Watermark.NONE : 10 * i - 1)
                .build(10 * i + 9));
    }

    private static Flux<StreamElement<WindowResult<Long, Long>>> windows(
            WindowSpec windows, Flux<StreamElement<Long>> inputs) {
        return inputs.transform(Windows.aggregate(value -> value, windows, Aggregations.counting()));
    }

    private static Flux<StreamElement<Long>> timed(Flux<StreamElement<Long>> inputs) {
        return inputs.transform(
                EventTime.assignByPartition(1, value -> 0, value -> 10 * value, WatermarkSpec.ascending()));
    }

    @TestFactory
    Stream<DynamicContainer> runsOfResults() {
        return KINDS.entrySet().stream()
                .map(kind -> DynamicContainer.dynamicContainer(
                        kind.getKey(),
                        quickTests(inputs -> windows(kind.getValue(), inputs).map(Object::toString))));
    }

    /** A function that emits with the timer of each event, which the watermark behind it makes due. */
    private record Echo() implements KeyedProcess<Long, Long, Long> {

        @Override
        public void onEvent(Long event, ProcessContext<Long, Long> context) {
            context.setTimer(context.timestamp() + 5);
        }

        @Override
        public void onTimer(ProcessContext<Long, Long> context) {
            context.emit(context.key());
        }
    }

    @TestFactory
    Stream<DynamicTest> runsOfAFunction() {
        return quickTests(inputs -> EventFlux.fromElements(inputs)
                .keyBy(value -> value)
                .process(new Echo())
                .elements()
                .map(Object::toString));
    }

    @TestFactory
    Stream<DynamicTest> resultsOneByOne() {
        return tests(inputs -> windows(TEN, inputs).transform(EventTime.values()));
    }

    @TestFactory
    Stream<DynamicTest> runsWithTimes() {
        return quickTests(inputs -> timed(inputs).map(Object::toString));
    }

    /** Elements of two subscribers are compared: what has no equals of its own has to be made a text before. */
    private static <T> Stream<DynamicTest> tests(Function<Flux<StreamElement<Long>>, Flux<T>> operator) {
        return TckTests.of(() -> new TckTests.Verification<T>() {
            @Override
            public Publisher<T> createPublisher(long elements) {
                return operator.apply(inputs(elements));
            }

            @Override
            public Publisher<T> createFailedPublisher() {
                return operator.apply(Flux.error(new IllegalStateException("failed on purpose")));
            }
        });
    }

    /** Without those of bad requests: Reactor answers those for every operator, and the TCK waits its whole time-out for it. */
    private static <T> Stream<DynamicTest> quickTests(Function<Flux<StreamElement<Long>>, Flux<T>> operator) {
        return tests(operator).filter(test -> !test.getDisplayName().contains("spec309_request"));
    }
}
