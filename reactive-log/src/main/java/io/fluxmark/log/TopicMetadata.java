package io.fluxmark.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What is said of a topic in its file {@code NAME.topic}, which makes it one: it is there completely or not at all.
 *
 * <pre>
 * format=2
 * partitions=4
 * retention.ms=-1         -1: of any age
 * retention.bytes=-1      -1: any number; for each partition
 * </pre>
 *
 * <p>Format 1 had the first two lines only, and kept everything. A topic that is compacted has format 3, so that no earlier version
 * appends records without keys to it, and in addition
 *
 * <pre>
 * compaction.dirty.percent=50
 * compaction.lag.ms=0
 * compaction.horizon.ms=86400000
 * </pre>
 */
record TopicMetadata(int partitions, Retention retention, Compaction compaction) {

    /** More partitions than this is a mistake. */
    static final int MAX_PARTITIONS = 10_000;

    private static final int FORMAT = 2;
    private static final int COMPACTED_FORMAT = 3;
    private static final int MAX_BYTES = 4096;
    private static final long UNLIMITED = -1;
    private static final Pattern FORMAT_LINE = Pattern.compile("format=(\\d{1,9})\n");
    private static final Pattern CONTENT = Pattern.compile(
            "format=[123]\npartitions=(\\d{1,9})\n(?:retention\\.ms=(-?\\d{1,18})\nretention\\.bytes=(-?\\d{1,18})\n)?"
                    + "(?:compaction\\.dirty\\.percent=(\\d{1,3})\ncompaction\\.lag\\.ms=(\\d{1,18})\n"
                    + "compaction\\.horizon\\.ms=(\\d{1,18})\n)?");

    /** What the file says. */
    static TopicMetadata read(LogStorage storage, Path path) throws IOException {
        ByteBuffer bytes = SmallFile.read(storage, path, MAX_BYTES);
        if (bytes == null) {
            throw new NoSuchFileException(path.toString());
        }
        String text = StandardCharsets.UTF_8.decode(bytes).toString();
        Matcher format = FORMAT_LINE.matcher(text);
        if (format.lookingAt() && Integer.parseInt(format.group(1)) > COMPACTED_FORMAT) {
            throw new IOException(path + " has format " + format.group(1) + ", this version knows up to "
                    + COMPACTED_FORMAT + "; open the log with a newer version");
        }
        Matcher content = CONTENT.matcher(text);
        if (!content.matches()) {
            throw new IOException(
                    path + " is damaged: '" + text + "' does not say format and partitions; restore the file");
        }
        return new TopicMetadata(
                Integer.parseInt(content.group(1)),
                retention(numberIn(content, 2), numberIn(content, 3)),
                compaction(numberIn(content, 4), numberIn(content, 5), numberIn(content, 6)));
    }

    /** Replaces the file durably. */
    void write(LogStorage storage, Path path) throws IOException {
        String content = "format=" + (compaction.isByKey() ? COMPACTED_FORMAT : FORMAT) + "\npartitions=" + partitions
                + "\nretention.ms="
                + retention.maxAge().map(Duration::toMillis).orElse(UNLIMITED) + "\nretention.bytes="
                + retention.maxBytes().orElse(UNLIMITED) + "\n";
        if (compaction.isByKey()) {
            content += "compaction.dirty.percent=" + compaction.dirtyPercent() + "\ncompaction.lag.ms="
                    + compaction.minLag().toMillis() + "\ncompaction.horizon.ms="
                    + compaction.deleteHorizon().toMillis() + "\n";
        }
        SmallFile.replace(storage, path, ByteBuffer.wrap(content.getBytes(StandardCharsets.UTF_8)));
    }

    private static Retention retention(long millis, long bytes) {
        Retention retention = Retention.forever();
        if (millis != UNLIMITED) {
            retention = retention.maxAge(Duration.ofMillis(millis));
        }
        return bytes == UNLIMITED ? retention : retention.maxBytes(bytes);
    }

    private static Compaction compaction(long dirtyPercent, long lagMillis, long horizonMillis) {
        return dirtyPercent == UNLIMITED
                ? Compaction.none()
                : Compaction.byKey()
                        .minDirtyRatio(dirtyPercent / 100.0)
                        .minLag(Duration.ofMillis(lagMillis))
                        .deleteHorizon(Duration.ofMillis(horizonMillis));
    }

    private static long numberIn(Matcher content, int group) {
        String number = content.group(group);
        return number == null ? UNLIMITED : Long.parseLong(number);
    }
}
