package io.fluxmark.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Files of a log are damaged at random. What is read then is what was appended, each record at its offset; what is not read is
 * reported, exactly; only the unproven tail after a crash may be missing without an error, and is counted.
 */
class RandomDamageTest {

    private static final int RECORDS = 60;

    @TempDir
    Path directory;

    @TempDir
    Path live;

    private final LogSpec spec =
            LogSpec.defaults().storage(FaultStorage.fast()).segmentBytes(1024).readBufferBytes(512);

    @Test
    void aPrefixOrTheExactErrorNeverGarbageNeverASilentGap() {
        int cases = Logs.thorough() ? 10_000 : 400;
        long seed = 4711;
        List<LogImage> images = images();
        int lossy = 0;
        int torn = 0;
        int repaired = 0;
        for (int i = 0; i < cases; i++) {
            Random random = new Random(seed + i);
            boolean crashed = i % 2 == 0;
            LogImage image = images.get(crashed ? 0 : 1);
            Set<String> hit = new TreeSet<>();
            for (int n = 1 + random.nextInt(3); n > 0; n--) {
                image = damage(image, random, hit);
            }
            image.writeTo(directory);
            String as = "seed " + (seed + i) + ", " + (crashed ? "crashed" : "closed") + ", damaged " + hit;
            long end;
            boolean anyLost;
            try (EventLog log = Logs.open(directory, spec)) {
                Partition partition = Logs.partition(log);
                end = partition.endOffset();
                anyLost = check(partition, as);
                if (end < RECORDS) {
                    torn++;
                    assertThat(mayEndEarly(image, hit, crashed)).as(as).isTrue();
                }
                lossy += anyLost ? 1 : 0;
                assertThat(Logs.append(Logs.topic(log), AppendRecord.to(0, bytes(end))))
                        .as(as)
                        .containsExactly(new AppendResult(0, end, false));
            }
            if (random.nextInt(4) == 0) {
                List<LostRange> lost = EventLog.repair(directory, spec).block(Logs.WAIT);
                assertThat(lost.isEmpty()).as(as).isEqualTo(!anyLost);
                repaired += lost.isEmpty() ? 0 : 1;
            }
            try (EventLog log = Logs.open(directory, spec)) {
                assertThat(Logs.partition(log).endOffset()).as(as).isEqualTo(end + 1);
                check(Logs.partition(log), as);
            }
        }
        assertThat(lossy).isPositive();
        assertThat(torn).isPositive();
        System.out.println("random damages: " + cases + " cases, " + lossy + " with records lost, " + torn
                + " with a torn tail, " + repaired + " repaired, seed " + seed);
    }

    /** Reads all there is, around the damage, and answers whether there was any. */
    private static boolean check(Partition partition, String as) {
        long at = partition.beginOffset();
        List<Long> lost = new ArrayList<>();
        while (at < partition.endOffset()) {
            List<LogRecord> read = new ArrayList<>();
            long from = at;
            try {
                partition.readTo(at, partition.endOffset()).doOnNext(read::add).blockLast(Logs.WAIT);
                at = partition.endOffset();
            } catch (CorruptSegmentException e) {
                assertThat(e.lostUntil()).as(as).isGreaterThan(e.offset());
                for (long offset = e.offset(); offset < e.lostUntil(); offset++) {
                    lost.add(offset);
                }
                assertThat(read).as(as).hasSize((int) (e.offset() - from));
                at = e.lostUntil();
            }
            long last = from - 1;
            for (LogRecord record : read) {
                assertThat(record.offset()).as(as).isGreaterThan(last);
                assertThat(record.value()).as(as).isEqualTo(bytes(record.offset()));
                last = record.offset();
            }
        }
        List<Long> reported = new ArrayList<>();
        partition.verify().toIterable().forEach(e -> {
            for (long offset = e.offset(); offset < e.lostUntil(); offset++) {
                reported.add(offset);
            }
        });
        assertThat(reported).as(as).isEqualTo(lost);
        return !lost.isEmpty();
    }

    /** Without an error only what nothing says had been durable: the last segment after a crash. */
    private static boolean mayEndEarly(LogImage image, Set<String> hit, boolean crashed) {
        boolean lastSegment = hit.stream().anyMatch(name -> name.equals(lastSegmentOf(image, hit)));
        return lastSegment && (crashed || hit.containsAll(Set.of(LogCheckpoints.BOUNDS, LogCheckpoints.CLEAN)));
    }

    private static String lastSegmentOf(LogImage image, Set<String> hit) {
        TreeSet<String> names = new TreeSet<>(hit);
        names.addAll(image.names());
        names.removeIf(name -> !name.endsWith(RecordLayout.SEGMENT_SUFFIX));
        return names.last();
    }

    private static LogImage damage(LogImage image, Random random, Set<String> hit) {
        List<String> names = image.names().stream()
                .filter(name -> !name.endsWith(LogLayout.METADATA_SUFFIX))
                .filter(name -> name.endsWith(RecordLayout.SEGMENT_SUFFIX) || random.nextInt(3) == 0)
                .toList();
        if (names.isEmpty()) {
            return image;
        }
        String name = names.get(random.nextInt(names.size()));
        byte[] bytes = image.bytes(name);
        hit.add(name);
        if (bytes.length == 0) {
            return image.without(name);
        }
        int at = random.nextInt(bytes.length);
        int length = 1 + random.nextInt(Math.min(200, bytes.length - at));
        switch (random.nextInt(6)) {
            case 0 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
            case 1 -> Arrays.fill(bytes, at, at + length, (byte) 0);
            case 2 -> {
                for (int i = at; i < at + length; i++) {
                    bytes[i] = (byte) random.nextInt();
                }
            }
            case 3 -> bytes = Arrays.copyOf(bytes, at);
            case 4 -> bytes = Arrays.copyOf(bytes, bytes.length + length);
            default -> {
                return image.without(name);
            }
        }
        return image.with(name, bytes);
    }

    /** After a crash, and after an orderly end. */
    private List<LogImage> images() {
        LogImage crashed;
        try (EventLog log = Logs.open(live, spec)) {
            Topic topic = Logs.topic(log);
            for (long i = 0; i < RECORDS; ) {
                List<AppendRecord> request = new ArrayList<>();
                for (long n = 1 + i % 3; n > 0 && i < RECORDS; n--) {
                    request.add(AppendRecord.to(0, bytes(i++)));
                }
                topic.append(request).block(Logs.WAIT);
            }
            crashed = LogImage.of(live);
        }
        return List.of(crashed, LogImage.of(live));
    }

    private static byte[] bytes(long offset) {
        byte[] text = ("value of " + offset + " ").repeat(3).getBytes(StandardCharsets.UTF_8);
        return ByteBuffer.allocate(Long.BYTES + text.length)
                .putLong(offset)
                .put(text)
                .array();
    }
}
