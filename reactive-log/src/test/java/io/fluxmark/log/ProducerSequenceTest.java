package io.fluxmark.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Mono;

class ProducerSequenceTest {

    @TempDir
    Path directory;

    @Test
    void aRepeatedAppendIsAnsweredWithItsFirstOffsetAlsoAfterReopening() {
        try (EventLog log = Logs.open(directory)) {
            Topic topic = Logs.topic(log);
            assertThat(Logs.append(topic, Logs.record("p", 5), Logs.record("p", 9), Logs.record("q", 0)))
                    .containsExactly(fresh(0), fresh(1), fresh(2));
            assertThat(Logs.append(topic, Logs.record("p", 5), Logs.record("p", 12), Logs.record("p", 9)))
                    .containsExactly(repeated(0), fresh(3), repeated(1));
        }
        try (EventLog log = Logs.open(directory)) {
            Topic topic = Logs.topic(log);
            Partition partition = topic.partition(0);
            assertThat(partition.highestSequence("p")).hasValue(12);
            assertThat(partition.highestSequence("q")).hasValue(0);
            assertThat(partition.highestSequence("r")).isEmpty();
            assertThat(Logs.append(topic, Logs.record("q", 0), Logs.record("p", 12), Logs.record("p", 13)))
                    .containsExactly(repeated(2), repeated(3), fresh(4));
            assertThat(partition.endOffset()).isEqualTo(5);
            assertThat(Logs.readAll(partition).get(1).sequence()).hasValue(new ProducerSequence("p", 9));
        }
    }

    @Test
    void aRepeatWithinOneRequestIsRecognised() {
        try (EventLog log = Logs.open(directory)) {
            Topic topic = Logs.topic(log);
            assertThat(Logs.append(topic, Logs.record("p", 1), Logs.record("p", 1), Logs.record("p", 2)))
                    .containsExactly(fresh(0), repeated(0), fresh(1));
            assertThat(topic.partition(0).endOffset()).isEqualTo(2);
        }
    }

    @Test
    void aSequenceThatWasPassedOverRefusesTheWholeRequest() {
        try (EventLog log = Logs.open(directory)) {
            Topic topic = Logs.topic(log);
            Logs.append(topic, Logs.record("p", 1), Logs.record("p", 5));
            assertThatThrownBy(() -> Logs.append(
                            topic, Logs.record("q", 1), Logs.record(0), Logs.record("p", 6), Logs.record("p", 3)))
                    .isInstanceOf(OutOfOrderSequenceException.class)
                    .hasMessageContaining("sequence 3")
                    .hasMessageContaining("'p'");
            assertThat(topic.partition(0).endOffset()).isEqualTo(2);
            assertThat(topic.partition(0).highestSequence("q")).isEmpty();
            // Nothing of it is remembered either.
            assertThat(Logs.append(topic, Logs.record("q", 1), Logs.record("p", 6)))
                    .containsExactly(fresh(2), fresh(3));
        }
    }

    @Test
    void aRepeatOfAnAppendInFlightWaitsForTheSameFsync() throws Exception {
        FaultStorage storage = new FaultStorage();
        try (EventLog log = Logs.open(directory, LogSpec.defaults().storage(storage))) {
            Topic topic = Logs.topic(log);
            Logs.append(topic, Logs.record("warm", 0));
            CountDownLatch busy = new CountDownLatch(1);
            CountDownLatch go = new CountDownLatch(1);
            storage.onForce = file -> {
                busy.countDown();
                awaitQuietly(go);
            };
            Mono<List<AppendResult>> blocker =
                    topic.append(List.of(Logs.record("x", 0))).cache();
            blocker.subscribe();
            busy.await();
            // Both wait in the queue while the first group is being forced; they share the next group.
            Mono<List<AppendResult>> first =
                    topic.append(List.of(Logs.record("p", 7))).cache();
            Mono<List<AppendResult>> second =
                    topic.append(List.of(Logs.record("p", 7))).cache();
            first.subscribe();
            second.subscribe();
            long forces = storage.forces.get();
            go.countDown();
            assertThat(first.block(Logs.WAIT)).containsExactly(fresh(2));
            assertThat(second.block(Logs.WAIT)).containsExactly(repeated(2));
            assertThat(storage.forces.get()).isEqualTo(forces + 2);
            assertThat(topic.partition(0).endOffset()).isEqualTo(3);
        }
    }

    @Test
    void sequencesOlderThanWhatIsKeptInMemoryAreFoundInTheLog() {
        int count = 6_000;
        LogSpec spec = LogSpec.defaults().segmentBytes(64 << 10);
        try (EventLog log = Logs.open(directory, spec)) {
            Topic topic = Logs.topic(log);
            for (int i = 0; i < count; i += 500) {
                topic.append(IntStream.range(i, i + 500)
                                .mapToObj(n -> Logs.record("p" + n % 2, 3L * n))
                                .toList())
                        .block(Logs.WAIT);
            }
        }
        try (EventLog log = Logs.open(directory, spec)) {
            Topic topic = Logs.topic(log);
            List<AppendRecord> all = IntStream.range(0, count)
                    .mapToObj(n -> Logs.record("p" + n % 2, 3L * n))
                    .toList();
            assertThat(topic.append(all).block(Logs.WAIT))
                    .isEqualTo(IntStream.range(0, count)
                            .mapToObj(ProducerSequenceTest::repeated)
                            .toList());
            for (long never : new long[] {1, 6 * 100 + 1, 6 * 2000 + 3, 6 * 2999 - 1}) {
                assertThatThrownBy(() -> Logs.append(topic, Logs.record("p0", never)))
                        .isInstanceOf(OutOfOrderSequenceException.class);
            }
            assertThat(topic.partition(0).endOffset()).isEqualTo(count);
        }
    }

    @Test
    void tooManyProducersForgetTheOneUsedLongestAgoAndCountIt() {
        LogSpec spec = LogSpec.defaults().producersPerPartition(2);
        try (EventLog log = Logs.open(directory, spec)) {
            Topic topic = Logs.topic(log);
            Logs.append(topic, Logs.record("a", 1));
            Logs.append(topic, Logs.record("b", 1));
            Logs.append(topic, Logs.record("a", 2));
            assertThat(topic.partition(0).forgottenProducers()).isZero();
            Logs.append(topic, Logs.record("c", 1));
            assertThat(topic.partition(0).forgottenProducers()).isEqualTo(1);
            assertThat(topic.partition(0).highestSequence("b")).isEmpty();
            assertThat(Logs.append(topic, Logs.record("a", 1))).containsExactly(repeated(0));
        }
    }

    @Test
    void reservedHeadersCannotBeForged() {
        assertThatThrownBy(() -> Logs.record(0).withHeaders(List.of(new Header(Header.PRODUCER, Logs.bytes("p")))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(Header.PRODUCER);
    }

    /** Random requests, with random repeats and reopening, against a map. */
    @Test
    void randomRequestsAgreeWithAModel() {
        long seed = 7;
        Random random = new Random(seed);
        int rounds = Logs.thorough() ? 2_000 : 200;
        Map<ProducerSequence, Long> model = new HashMap<>();
        Map<String, Long> highest = new HashMap<>();
        long end = 0;
        int refused = 0;
        LogSpec spec = LogSpec.defaults().durability(Durability.OS).segmentBytes(8 << 10);
        EventLog log = Logs.open(directory, spec);
        try {
            for (int round = 0; round < rounds; round++) {
                if (random.nextInt(20) == 0) {
                    log.close();
                    log = Logs.open(directory, spec);
                }
                Map<ProducerSequence, Long> nextModel = new HashMap<>(model);
                Map<String, Long> nextHighest = new HashMap<>(highest);
                List<AppendRecord> request = new ArrayList<>();
                List<AppendResult> expected = new ArrayList<>();
                boolean valid = true;
                long nextEnd = end;
                for (int i = random.nextInt(12); i >= 0; i--) {
                    String producer = "p" + random.nextInt(3);
                    long top = nextHighest.getOrDefault(producer, -1L);
                    long sequence = random.nextInt(3) == 0 && top >= 0
                            ? pickBelow(random, nextModel, producer, top)
                            : top + 1 + random.nextInt(3);
                    request.add(Logs.record(producer, sequence));
                    Long earlier = nextModel.get(new ProducerSequence(producer, sequence));
                    if (earlier != null) {
                        expected.add(repeated(earlier));
                    } else if (sequence <= top) {
                        valid = false;
                    } else {
                        nextModel.put(new ProducerSequence(producer, sequence), nextEnd);
                        nextHighest.put(producer, sequence);
                        expected.add(fresh(nextEnd++));
                    }
                }
                Topic topic = Logs.topic(log);
                if (valid) {
                    assertThat(topic.append(request).block(Logs.WAIT)).isEqualTo(expected);
                    model = nextModel;
                    highest = nextHighest;
                    end = nextEnd;
                } else {
                    refused++;
                    assertThatThrownBy(() -> topic.append(request).block(Logs.WAIT))
                            .isInstanceOf(OutOfOrderSequenceException.class);
                }
                assertThat(topic.partition(0).endOffset()).isEqualTo(end);
            }
        } finally {
            log.close();
        }
        assertThat(refused).isPositive();
        System.out.println(
                "sequence model: " + rounds + " requests, " + refused + " refused, " + end + " records, seed " + seed);
    }

    /** Mostly one that was stored, now and then one that was passed over. */
    private static long pickBelow(Random random, Map<ProducerSequence, Long> model, String producer, long top) {
        long sequence = (long) (random.nextDouble() * (top + 1));
        if (random.nextInt(8) != 0) {
            while (!model.containsKey(new ProducerSequence(producer, sequence))) {
                sequence++;
            }
        }
        return sequence;
    }

    private static AppendResult fresh(long offset) {
        return new AppendResult(0, offset, false);
    }

    private static AppendResult repeated(long offset) {
        return new AppendResult(0, offset, true);
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
