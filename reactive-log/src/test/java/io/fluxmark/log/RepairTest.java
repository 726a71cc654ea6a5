package io.fluxmark.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RepairTest {

    @TempDir
    Path directory;

    private final LogSpec spec = LogSpec.defaults().segmentBytes(1024);

    @Test
    void whatIsLostIsGivenUpAndTheRestIsReadWithoutAnError() throws Exception {
        long second = fill();
        Path file = Logs.segment(directory, second);
        byte[] damaged = Files.readAllBytes(file);
        damaged[damaged.length / 2] ^= 1;
        Files.write(file, damaged);
        CorruptSegmentException damage;
        try (EventLog log = Logs.open(directory, spec)) {
            damage = Logs.partition(log).verify().blockFirst(Logs.WAIT);
            assertThatThrownBy(() -> Logs.readAll(Logs.partition(log))).isInstanceOf(CorruptSegmentException.class);
            assertThatThrownBy(() -> EventLog.repair(directory, spec).block(Logs.WAIT))
                    .isInstanceOf(LogLockedException.class);
        }
        assertThat(EventLog.repair(directory, spec).block(Logs.WAIT))
                .containsExactly(new LostRange(Logs.TOPIC, 0, file, damage.offset(), damage.lostUntil()));
        assertThat(Files.readAllBytes(file.resolveSibling(file.getFileName() + ".corrupt")))
                .isEqualTo(damaged);
        for (int i = 0; i < 2; i++) {
            try (EventLog log = Logs.open(directory, spec)) {
                Partition partition = Logs.partition(log);
                assertThat(partition.damage()).isEmpty();
                assertThat(partition.verify().collectList().block(Logs.WAIT)).isEmpty();
                assertThat(offsets(Logs.readAll(partition)))
                        .isEqualTo(IntStream.range(0, 30)
                                .filter(offset -> offset < damage.offset() || offset >= damage.lostUntil())
                                .mapToObj(Long::valueOf)
                                .toList());
                // A range that ends in what was given up, or is nothing else, ends there.
                assertThat(partition
                                .readTo(damage.offset(), damage.lostUntil())
                                .collectList()
                                .block(Logs.WAIT))
                        .isEmpty();
                assertThat(offsets(partition
                                .readTo(damage.lostUntil(), 30)
                                .collectList()
                                .block(Logs.WAIT)))
                        .startsWith(damage.lostUntil());
            }
        }
        assertThat(EventLog.repair(directory, spec).block(Logs.WAIT)).isEmpty();
    }

    @Test
    void oneTopicCanBeRepairedAlone() throws Exception {
        try (EventLog log = Logs.open(directory, spec)) {
            for (String name : List.of("a", "b")) {
                Logs.appendEach(log.createTopic(name, 1).block(Logs.WAIT), 0, 30);
            }
        }
        for (String name : List.of("a", "b")) {
            Path file = directory.resolve(name + "-0").resolve(RecordLayout.segmentName(0));
            byte[] damaged = Files.readAllBytes(file);
            damaged[damaged.length / 2] ^= 1;
            Files.write(file, damaged);
        }
        assertThat(EventLog.repair(directory, "b", spec).block(Logs.WAIT))
                .singleElement()
                .satisfies(lost -> assertThat(lost.topic()).isEqualTo("b"));
        LogReader reader = LogReader.of(directory);
        assertThat(reader.topic("a")
                        .block(Logs.WAIT)
                        .partition(0)
                        .verify()
                        .count()
                        .block(Logs.WAIT))
                .isEqualTo(1);
        AtomicLong checked = new AtomicLong();
        assertThat(reader.topic("b")
                        .block(Logs.WAIT)
                        .partition(0)
                        .verify(checked::set)
                        .count()
                        .block(Logs.WAIT))
                .isZero();
        assertThat(checked).hasValue(30);
    }

    @Test
    void aLostEndOrAMissingSegmentIsGivenUpTooAndSequencesAreTakenAgain() throws Exception {
        long second = fill();
        List<Long> bases = Logs.segmentBases(directory);
        Files.delete(Logs.segment(directory, second));
        Files.write(Logs.segment(directory, bases.get(bases.size() - 1)), new byte[3]);
        for (String name : LogImage.of(directory).names()) {
            if (name.endsWith(ProducerSnapshots.SUFFIX)) {
                Files.delete(directory.resolve(name));
            }
        }
        try (EventLog log = Logs.open(directory, spec)) {
            assertThatThrownBy(() -> Logs.append(Logs.topic(log), Logs.record("p", 1)))
                    .isInstanceOf(CorruptSegmentException.class);
        }
        List<LostRange> lost = EventLog.repair(directory, spec).block(Logs.WAIT);
        assertThat(lost).hasSize(2);
        assertThat(lost.get(0).from()).isEqualTo(second);
        assertThat(lost.get(0).until()).isEqualTo(bases.get(2));
        assertThat(lost.get(1).until()).isEqualTo(30);
        try (EventLog log = Logs.open(directory, spec)) {
            Topic topic = Logs.topic(log);
            assertThat(Logs.readAll(topic.partition(0)))
                    .hasSize((int) (lost.get(1).from() - (bases.get(2) - second)));
            assertThat(Logs.append(topic, Logs.record("p", 1))).containsExactly(new AppendResult(0, 30, false));
        }
    }

    private long fill() {
        try (EventLog log = Logs.open(directory, spec)) {
            Logs.appendEach(Logs.topic(log), 0, 30);
        }
        return Logs.segmentBases(directory).get(1);
    }

    private static List<Long> offsets(List<LogRecord> records) {
        return records.stream().map(LogRecord::offset).toList();
    }
}
