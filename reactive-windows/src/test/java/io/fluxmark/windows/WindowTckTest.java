package io.fluxmark.windows;

import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;

/** The Reactive Streams TCK over the window operator. */
class WindowTckTest {

    private static final WindowSpec TEN = WindowSpec.tumbling(Duration.ofMillis(10));

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

    private static Flux<StreamElement<WindowResult<String, Long>>> windows(Flux<StreamElement<Long>> inputs) {
        return inputs.transform(Windows.aggregate(value -> "k", TEN, Aggregations.counting()));
    }

    @TestFactory
    Stream<DynamicTest> runsOfResults() {
        return TckTests.of(() -> new TckTests.Verification<String>() {
            @Override
            public Publisher<String> createPublisher(long elements) {
                return windows(inputs(elements)).map(Object::toString); // two subscribers' elements are compared
            }

            @Override
            public Publisher<String> createFailedPublisher() {
                return windows(Flux.error(new IllegalStateException("failed on purpose")))
                        .map(Object::toString);
            }
        });
    }

    @TestFactory
    Stream<DynamicTest> resultsOneByOne() {
        return TckTests.of(() -> new TckTests.Verification<WindowResult<String, Long>>() {
            @Override
            public Publisher<WindowResult<String, Long>> createPublisher(long elements) {
                return windows(inputs(elements)).transform(EventTime.values());
            }

            @Override
            public Publisher<WindowResult<String, Long>> createFailedPublisher() {
                return windows(Flux.error(new IllegalStateException("failed on purpose")))
                        .transform(EventTime.values());
            }
        });
    }
}
