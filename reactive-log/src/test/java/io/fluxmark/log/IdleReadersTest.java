package io.fluxmark.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.test.scheduler.VirtualTimeScheduler;

/** Readers at the tail wait to be told; none looks, and nothing is scheduled. */
class IdleReadersTest {

    private static final int READERS = 1_000;

    @TempDir
    Path directory;

    @Test
    void aThousandReadersAtTheTailDoNothingUntilSomethingIsAppended() {
        VirtualTimeScheduler time = VirtualTimeScheduler.create();
        FaultStorage storage = new FaultStorage();
        LogSpec spec = LogSpec.defaults().storage(storage).readScheduler(time).durability(Durability.OS);
        AtomicLong read = new AtomicLong();
        // In a log of its own: no wake-up of these appends is under way any more.
        try (EventLog log = Logs.open(directory, spec)) {
            Logs.appendEach(Logs.topic(log), 0, 3);
        }
        try (EventLog log = Logs.open(directory, spec)) {
            Topic topic = Logs.topic(log);
            Disposable.Composite readers = Disposables.composite();
            for (int i = 0; i < READERS; i++) {
                readers.add(topic.partition(0).read(0).subscribe(record -> read.incrementAndGet()));
            }
            time.advanceTimeBy(Duration.ofSeconds(1));
            assertThat(read).hasValue(3 * READERS);

            long bytes = storage.bytesRead.get();
            long tasks = time.getScheduledTaskCount();
            time.advanceTimeBy(Duration.ofHours(10));
            assertThat(time.getScheduledTaskCount()).as("tasks run or waiting").isEqualTo(tasks);
            assertThat(storage.bytesRead.get()).as("bytes read while idle").isEqualTo(bytes);

            Logs.appendEach(topic, 3, 4);
            // Tails move on another thread than the append's answer.
            for (long end = 4L * READERS; read.get() < end; ) {
                time.advanceTimeBy(Duration.ofMillis(1));
                Thread.onSpinWait();
            }
            readers.dispose();
            assertThat(topic.partition(0).readers()).isZero();
        }
    }
}
