package io.fluxmark.log;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.opentest4j.TestAbortedException;
import org.reactivestreams.Publisher;
import org.reactivestreams.tck.PublisherVerification;
import org.reactivestreams.tck.TestEnvironment;
import org.testng.SkipException;
import reactor.core.scheduler.Schedulers;

/** The Reactive Streams TCK over partitions. Its methods are called one by one, since TestNG does not run here. */
class ReadTckTest {

    private static final int RECORDS = 2_000;

    @TempDir
    static Path directory;

    private static EventLog log;
    private static Partition partition;

    @BeforeAll
    static void fill() {
        log = Logs.open(directory, LogSpec.defaults().segmentBytes(8 << 10));
        Topic topic = Logs.topic(log);
        for (int i = 0; i < RECORDS; i += 100) {
            topic.append(IntStream.range(i, i + 100).mapToObj(Logs::record).toList())
                    .block(Logs.WAIT);
        }
        partition = topic.partition(0);
    }

    @AfterAll
    static void close() {
        log.close();
    }

    @TestFactory
    Stream<DynamicTest> recordsOfARange() {
        return tests(() -> new Verification<LogRecord>() {
            @Override
            public Publisher<LogRecord> createPublisher(long elements) {
                return partition.readTo(0, elements);
            }

            @Override
            public Publisher<LogRecord> createFailedPublisher() {
                return partition.readTo(RECORDS + 1, RECORDS + 2);
            }
        });
    }

    @TestFactory
    Stream<DynamicTest> runsOfTheTail() {
        return tests(() -> new Verification<List<LogRecord>>() {
            @Override
            public Publisher<List<LogRecord>> createPublisher(long elements) {
                return partition.readRuns(0, 1, Schedulers.boundedElastic()).take(elements);
            }

            @Override
            public Publisher<List<LogRecord>> createFailedPublisher() {
                return partition.readRuns(RECORDS + 1, 1, Schedulers.boundedElastic());
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
