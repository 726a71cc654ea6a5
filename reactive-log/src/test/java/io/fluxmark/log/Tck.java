package io.fluxmark.log;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Arrays;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.opentest4j.TestAbortedException;
import org.reactivestreams.tck.PublisherVerification;
import org.reactivestreams.tck.TestEnvironment;
import org.testng.SkipException;

/** The Reactive Streams TCK. Its methods are called one by one, since TestNG does not run here. */
final class Tck {

    private Tck() {}

    static Stream<DynamicTest> tests(Supplier<PublisherVerification<?>> verifications) {
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

    abstract static class Verification<T> extends PublisherVerification<T> {

        Verification() {
            super(
                    new TestEnvironment(
                            Duration.ofSeconds(2).toMillis(),
                            Duration.ofMillis(30).toMillis(),
                            false),
                    300);
        }

        /** A range may reach beyond the end: it waits there, which is all that the tests of so many elements need. */
        @Override
        public long maxElementsFromPublisher() {
            return Integer.MAX_VALUE;
        }
    }
}
