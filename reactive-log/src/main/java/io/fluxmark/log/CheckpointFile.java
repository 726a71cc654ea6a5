package io.fluxmark.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;
import reactor.util.Logger;
import reactor.util.Loggers;

/**
 * A text file with a few numbers for each partition, replaced as a whole:
 *
 * <pre>
 * title 1
 * TOPIC PARTITION NUMBER NUMBER ...
 * crc32c 0123abcd       of all that precedes this line
 * </pre>
 *
 * <p>Confined to the writer thread.
 */
final class CheckpointFile {

    private static final Logger LOG = Loggers.getLogger(CheckpointFile.class);

    private static final int MAX_BYTES = 256 << 20;
    private static final int VERSION = 1;
    private static final String CHECKSUM = "crc32c ";

    private final LogStorage storage;
    private final Path file;
    private final String title;
    private final int columns;

    CheckpointFile(LogStorage storage, Path file, String title, int columns) {
        this.storage = storage;
        this.file = file;
        this.title = title + " " + VERSION;
        this.columns = columns;
    }

    /** What it says, or null if there is no such file or it is damaged, which is logged. */
    @Nullable
    Map<PartitionId, long[]> read() throws IOException {
        ByteBuffer bytes = SmallFile.read(storage, file, MAX_BYTES);
        if (bytes == null) {
            return null;
        }
        Map<PartitionId, long[]> lines =
                parse(StandardCharsets.ISO_8859_1.decode(bytes).toString());
        if (lines == null) {
            LOG.warn("{} is damaged; the log is opened without it", file);
        }
        return lines;
    }

    void write(Map<PartitionId, long[]> lines) throws IOException {
        StringBuilder text = new StringBuilder(title).append('\n');
        lines.forEach((id, numbers) -> {
            text.append(id.topic()).append(' ').append(id.partition());
            for (long number : numbers) {
                text.append(' ').append(number);
            }
            text.append('\n');
        });
        String checksum = checksum(text.toString());
        text.append(CHECKSUM).append(checksum).append('\n');
        SmallFile.replace(storage, file, ByteBuffer.wrap(text.toString().getBytes(StandardCharsets.ISO_8859_1)));
    }

    /** Deletes it durably, if it is there. */
    void delete() throws IOException {
        storage.delete(file);
        storage.forceDirectory(Objects.requireNonNull(file.getParent()));
    }

    private @Nullable Map<PartitionId, long[]> parse(String text) {
        int end = text.lastIndexOf(CHECKSUM);
        if (end < 0 || !text.substring(end).equals(CHECKSUM + checksum(text.substring(0, end)) + "\n")) {
            return null;
        }
        String[] lines = text.substring(0, end).split("\n", -1);
        if (!lines[0].equals(title)) {
            return null;
        }
        Map<PartitionId, long[]> numbers = new HashMap<>();
        for (int i = 1; i < lines.length - 1; i++) {
            String[] words = lines[i].split(" ", -1);
            if (words.length != 2 + columns) {
                return null;
            }
            long[] values = new long[columns];
            for (int c = 0; c < columns; c++) {
                values[c] = Long.parseLong(words[2 + c]);
            }
            numbers.put(new PartitionId(words[0], Integer.parseInt(words[1])), values);
        }
        return numbers;
    }

    private static String checksum(String text) {
        CRC32C crc = new CRC32C();
        crc.update(text.getBytes(StandardCharsets.ISO_8859_1));
        return String.format("%08x", crc.getValue());
    }
}
