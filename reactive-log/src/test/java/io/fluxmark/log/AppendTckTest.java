package io.fluxmark.log;

import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;

/** The Reactive Streams TCK over streams of appends. */
class AppendTckTest {

    @TempDir
    static Path directory;

    private static EventLog log;
    private static Topic topic;

    @BeforeAll
    static void open() {
        log = Logs.open(directory, LogSpec.defaults().storage(FaultStorage.fast()));
        topic = Logs.topic(log);
    }

    @AfterAll
    static void close() {
        log.close();
    }

    /** Of the results only what is the same for each subscription. */
    private static Flux<Integer> partitions(Flux<AppendRecord> records) {
        return topic.append(records).map(AppendResult::partition);
    }

    @TestFactory
    Stream<DynamicTest> resultsOfAppends() {
        return Tck.tests(() -> new Tck.Verification<Integer>() {
            @Override
            public Publisher<Integer> createPublisher(long elements) {
                return partitions(Flux.range(0, (int) Math.min(elements, Integer.MAX_VALUE))
                        .map(Logs::record));
            }

            @Override
            public Publisher<Integer> createFailedPublisher() {
                return partitions(Flux.error(new IllegalStateException("on purpose")));
            }
        });
    }
}
