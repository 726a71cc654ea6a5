package io.fluxmark.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.reactivestreams.Subscription;
import reactor.core.Disposable;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Schedulers;

/** Readers and appenders are disposed of at any moment. */
class DisposeTest {

    @TempDir
    Path directory;

    private final FaultStorage storage = FaultStorage.fast();

    @Test
    void theLogLivesNothingIsLostAndNoBufferIsHeld() throws Exception {
        int trials = Logs.thorough() ? 1_000 : 150;
        long seed = 1_000_003;
        Random random = new Random(seed);
        LogSpec spec = LogSpec.defaults()
                .storage(storage)
                .segmentBytes(8 << 10)
                .readBufferBytes(1024)
                .compression(Compression.GZIP);
        try (EventLog log = Logs.open(directory, spec)) {
            Topic topic = Logs.topic(log);
            Partition partition = topic.partition(0);
            topic.append(IntStream.range(0, 500).mapToObj(Logs::record).toList())
                    .block(Logs.WAIT);
            AtomicLong read = new AtomicLong();
            int answered = 0;
            for (int trial = 0; trial < trials; trial++) {
                int size = 1 + random.nextInt(5);
                Disposable append = topic.append(requestOf(trial, size)).subscribe();
                disposeOfAReader(partition, random, read);
                if (random.nextBoolean()) {
                    append.dispose();
                } else {
                    answered++;
                }
            }
            // The last in the queue: all before it has been written.
            topic.append(Logs.record(-1)).block(Logs.WAIT);
            ReadOptionsTest.awaitNothingHeld(partition);
            List<LogRecord> all = Logs.readAll(partition);
            assertThat(all)
                    .extracting(LogRecord::offset)
                    .isEqualTo(
                            LongStream.range(0, partition.endOffset()).boxed().toList());
            assertEachRequestIsThereOnceAsAWhole(Logs.values(all), trials);
            ReadOptionsTest.awaitNothingHeld(partition);
            assertThat(storage.open.get()).as("only the writer's file").isEqualTo(1);
            System.out.println("disposals: " + trials + " readers that read " + read.get() + " records, "
                    + (trials - answered) + " appends, seed " + seed);
        }
        assertThat(storage.open.get()).isZero();
    }

    private static List<AppendRecord> requestOf(int trial, int size) {
        return IntStream.range(0, size)
                .mapToObj(i -> AppendRecord.to(0, Logs.bytes("request-" + trial + "-" + i + "/" + size)))
                .toList();
    }

    private static void assertEachRequestIsThereOnceAsAWhole(List<String> values, int trials) {
        List<String> requests =
                values.stream().filter(value -> value.startsWith("request-")).toList();
        int at = 0;
        for (int trial = 0; trial < trials; trial++) {
            int size =
                    Integer.parseInt(requests.get(at).substring(requests.get(at).indexOf('/') + 1));
            List<String> expected = new ArrayList<>();
            for (int i = 0; i < size; i++) {
                expected.add("request-" + trial + "-" + i + "/" + size);
            }
            assertThat(requests.subList(at, at + size)).isEqualTo(expected);
            at += size;
        }
        assertThat(requests).hasSize(at);
    }

    /** At once, after some records from within, or from another thread at some moment. */
    private static void disposeOfAReader(Partition partition, Random random, AtomicLong read) throws Exception {
        long from = random.nextInt((int) partition.endOffset() + 1);
        Flux<?> records = random.nextBoolean()
                ? partition.read(from)
                : partition.readRuns(from, 1 + random.nextInt(20), Schedulers.boundedElastic());
        long demand = random.nextInt(3) == 0 ? Long.MAX_VALUE : random.nextInt(30);
        int disposeAfter = random.nextInt(20);
        int way = random.nextInt(3);
        CompletableFuture<Void> reached = new CompletableFuture<>();
        BaseSubscriber<Object> subscriber = new BaseSubscriber<>() {
            private int seen;

            @Override
            protected void hookOnSubscribe(Subscription subscription) {
                if (demand > 0) {
                    subscription.request(demand);
                }
            }

            @Override
            protected void hookOnNext(Object value) {
                read.incrementAndGet();
                if (way == 1 && seen++ == disposeAfter) {
                    dispose();
                    reached.complete(null);
                }
            }

            @Override
            protected void hookOnError(Throwable failure) {
                reached.completeExceptionally(failure);
            }
        };
        records.subscribe(subscriber);
        if (way == 2) {
            CompletableFuture.runAsync(() -> {
                        for (int i = random.nextInt(20_000); i > 0; i--) {
                            Thread.onSpinWait();
                        }
                        subscriber.dispose();
                    })
                    .get(Logs.WAIT.toSeconds(), TimeUnit.SECONDS);
        } else if (way == 0) {
            subscriber.dispose();
        } else if (demand > disposeAfter && from + 20L * disposeAfter + 20 < partition.endOffset()) {
            // There are so many runs or records: it gets there by itself.
            reached.get(Logs.WAIT.toSeconds(), TimeUnit.SECONDS);
        }
        subscriber.dispose();
        if (reached.isCompletedExceptionally()) {
            reached.get();
        }
    }
}
