package io.fluxmark.proof;

import io.fluxmark.log.LogRecord;
import io.fluxmark.log.Partition;
import io.fluxmark.windows.EventBatch;
import io.fluxmark.windows.EventFlux;
import io.fluxmark.windows.StreamElement;
import io.fluxmark.windows.Watermark;
import io.fluxmark.windows.WatermarkSpec;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.function.Supplier;
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
import reactor.core.publisher.Flux;

/** The Reactive Streams TCK over the way from a partition into event time, as a pipeline begins with it. */
class SourceTckTest {

    private static final int TICKS = 2_000;

    @TempDir
    static Path directory;

    private static ProofJob job;
    private static Partition partition;

    @BeforeAll
    static void fill() {
        job = ProofJob.open(directory);
        job.append(Tick.stream(TICKS, 3));
        partition = job.topic().partitions().stream()
                .max((a, b) -> Long.compare(a.endOffset(), b.endOffset()))
                .orElseThrow();
    }

    @AfterAll
    static void close() {
        job.close();
    }

    private static EventFlux<LogRecord> events(Publisher<LogRecord> records) {
        return EventFlux.from(records, 1)
                .watermarksMillis(LogRecord::offset, WatermarkSpec.boundedOutOfOrderness(Duration.ofMillis(5)));
    }

    @TestFactory
    Stream<DynamicTest> elements() {
        return tests(() -> new Verification<String>() {
            @Override
            public Publisher<String> createPublisher(long elements) {
                // The last element is the end of event time, which even an empty stream has.
                return elements == 0
                        ? Flux.empty()
                        : events(partition.readTo(0, elements - 1)).elements().map(SourceTckTest::text);
            }

            @Override
            public Publisher<String> createFailedPublisher() {
                return events(Flux.error(new IllegalStateException("failed on purpose")))
                        .elements()
                        .map(SourceTckTest::text);
            }
        });
    }

    @TestFactory
    Stream<DynamicTest> values() {
        return tests(() -> new Verification<LogRecord>() {
            @Override
            public Publisher<LogRecord> createPublisher(long elements) {
                return events(partition.readTo(0, elements)).toFlux();
            }

            @Override
            public Publisher<LogRecord> createFailedPublisher() {
                return events(Flux.error(new IllegalStateException("failed on purpose")))
                        .toFlux();
            }
        });
    }

    /** Two subscribers' elements are compared. */
    private static String text(StreamElement<LogRecord> element) {
        if (element instanceof EventBatch<LogRecord> batch) {
            return batch.size() + " from " + batch.value(0) + " at " + batch.timestamp(0) + " behind "
                    + batch.watermarkBefore(0);
        }
        return element instanceof Watermark<LogRecord> watermark ? watermark.toString() : "";
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
            // What the TCK leaves untested it may skip; anything else that skips is a hole.
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
