package io.fluxmark.windows;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Arrays;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.opentest4j.TestAbortedException;
import org.reactivestreams.Publisher;
import org.reactivestreams.tck.PublisherVerification;
import org.reactivestreams.tck.TestEnvironment;
import org.testng.SkipException;
import reactor.core.publisher.Flux;

/** The Reactive Streams TCK over the window operator. Its methods are called one by one, since TestNG does not run here. */
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
        return tests(() -> new Verification<String>() {
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
        return tests(() -> new Verification<WindowResult<String, Long>>() {
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

    private static Stream<DynamicTest> tests(Supplier<PublisherVerification<?>> verifications) {
        return Arrays.stream(PublisherVerification.class.getMethods())
                .filter(method -> method.isAnnotationPresent(org.testng.annotations.Test.class))
                .map(method -> DynamicTest.dynamicTest(method.getName(), () -> call(verifications.get(), method)));
    }

    private static void call(PublisherVerification<?> verification, Method method) throws Throwable {
        verification.setUp();
        try {
            method.invoke(verification);
        } catch (InvocationTargetException e) {
            if (e.getCause() instanceof SkipException skip && method.getName().startsWith("untested_")) {
                throw new TestAbortedException(skip.getMessage(), skip);
            }
            throw e.getCause();
        }
    }

    private abstract static class Verification<T> extends PublisherVerification<T> {

        Verification() {
            super(new TestEnvironment(
                    Duration.ofSeconds(2).toMillis(), Duration.ofMillis(30).toMillis(), false));
        }
    }
}
