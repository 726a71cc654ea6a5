package io.fluxmark.log;

import java.nio.file.Path;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.reactivestreams.Publisher;
import reactor.core.scheduler.Schedulers;

/** The Reactive Streams TCK over partitions. */
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
        return Tck.tests(() -> new Tck.Verification<LogRecord>() {
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
        return Tck.tests(() -> new Tck.Verification<RecordRun>() {
            @Override
            public Publisher<RecordRun> createPublisher(long elements) {
                return partition.readRuns(0, 1, Schedulers.boundedElastic()).take(elements);
            }

            @Override
            public Publisher<RecordRun> createFailedPublisher() {
                return partition.readRuns(RECORDS + 1, 1, Schedulers.boundedElastic());
            }
        });
    }
}
