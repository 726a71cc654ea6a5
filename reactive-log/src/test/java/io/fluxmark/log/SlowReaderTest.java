package io.fluxmark.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Schedulers;
import reactor.test.scheduler.VirtualTimeScheduler;

/** A large topic, a small heap, and a reader that asks for one record each second of virtual time. */
class SlowReaderTest {

    private static final int KILOBYTES = Logs.thorough() ? 1 << 20 : 32 << 10;

    @TempDir
    Path directory;

    @Test
    void aReaderOfOneRecordASecondKeepsHeapAndDirectMemoryFlat() throws Exception {
        Process child = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx64m",
                        "-XX:MaxDirectMemorySize=16m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Child.class.getName(),
                        directory.toString(),
                        Integer.toString(KILOBYTES))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        List<long[]> samples = new ArrayList<>();
        try (BufferedReader out =
                new BufferedReader(new InputStreamReader(child.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                String[] parts = line.split(" ", -1);
                samples.add(new long[] {Long.parseLong(parts[0]), Long.parseLong(parts[1]), Long.parseLong(parts[2])});
            }
        }
        assertThat(child.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(child.exitValue()).isZero();
        assertThat(samples).hasSize(Child.SAMPLES);
        assertThat(samples.get(Child.SAMPLES - 1)[0]).isEqualTo(KILOBYTES);
        LongSummaryStatistics heap =
                samples.stream().mapToLong(sample -> sample[1]).summaryStatistics();
        LongSummaryStatistics direct =
                samples.stream().mapToLong(sample -> sample[2]).summaryStatistics();
        System.out.printf(
                "slow reader: %d records of 1 KiB, one each second, -Xmx64m: heap after GC %d to %d KiB, direct %d to %d KiB%n",
                KILOBYTES, heap.getMin() >> 10, heap.getMax() >> 10, direct.getMin() >> 10, direct.getMax() >> 10);
        assertThat(heap.getMax() - heap.getMin()).as("heap after GC").isLessThan(1 << 20);
        assertThat(direct.getMax() - direct.getMin()).as("direct memory").isLessThan(256 << 10);
    }

    /** Prints how many records it has read, and the bytes of heap and direct memory in use, ten times. */
    static final class Child {

        private static final int SAMPLES = 10;
        /** With its framing a record has 1 KiB. */
        private static final int VALUE_BYTES = 1015;

        private Child() {}

        public static void main(String[] args) {
            int records = Integer.parseInt(args[1]);
            VirtualTimeScheduler clock = VirtualTimeScheduler.create();
            LogSpec spec = LogSpec.defaults().durability(Durability.OS).readScheduler(Schedulers.immediate());
            try (EventLog log = Logs.open(Path.of(args[0]), spec)) {
                Topic topic = Logs.topic(log);
                topic.append(Flux.range(0, records).map(i -> AppendRecord.to(0, new byte[VALUE_BYTES])))
                        .blockLast();
                OneASecond reader = new OneASecond(clock);
                topic.partition(0).read(0).subscribe(reader);
                for (int sample = 1; sample <= SAMPLES; sample++) {
                    clock.advanceTimeBy(Duration.ofSeconds((long) records * sample / SAMPLES - reader.read));
                    System.gc();
                    long direct = ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                            .mapToLong(BufferPoolMXBean::getMemoryUsed)
                            .sum();
                    long heap = ManagementFactory.getMemoryMXBean()
                            .getHeapMemoryUsage()
                            .getUsed();
                    System.out.println(reader.read + " " + heap + " " + direct);
                }
                reader.dispose();
            }
            System.exit(0);
        }
    }

    private static final class OneASecond extends BaseSubscriber<LogRecord> {

        private final VirtualTimeScheduler clock;
        private long read;

        OneASecond(VirtualTimeScheduler clock) {
            this.clock = clock;
        }

        @Override
        protected void hookOnSubscribe(Subscription subscription) {
            clock.schedulePeriodically(() -> request(1), 1, 1, TimeUnit.SECONDS);
        }

        @Override
        protected void hookOnNext(LogRecord record) {
            read++;
        }
    }
}
