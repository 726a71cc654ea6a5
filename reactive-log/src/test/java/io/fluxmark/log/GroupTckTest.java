package io.fluxmark.log;

import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;

/** The Reactive Streams TCK over the records of a member, each in a group of its own. */
class GroupTckTest {

    private static final int RECORDS = 2_000;

    @TempDir
    static Path directory;

    private static final AtomicInteger GROUPS = new AtomicInteger();
    private static EventLog log;

    @BeforeAll
    static void fill() {
        log = Logs.open(directory, LogSpec.defaults().storage(FaultStorage.fast()));
        GroupFixture.fill(Logs.topic(log), 0, RECORDS);
    }

    @AfterAll
    static void close() {
        log.close();
    }

    private static Flux<Long> offsets(String topic) {
        return Flux.defer(() -> log.group("tck" + GROUPS.incrementAndGet())
                .records(MemberSpec.topics(topic))
                .doOnNext(ConsumerRecord::acknowledge)
                .map(ConsumerRecord::offset));
    }

    @TestFactory
    Stream<DynamicTest> recordsOfAMember() {
        return Tck.tests(() -> new Tck.Verification<Long>() {
            @Override
            public Publisher<Long> createPublisher(long elements) {
                return offsets(Logs.TOPIC).take(elements);
            }

            @Override
            public Publisher<Long> createFailedPublisher() {
                return offsets("missing");
            }
        });
    }
}
