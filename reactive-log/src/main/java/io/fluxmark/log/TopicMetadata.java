package io.fluxmark.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The file that makes a directory a topic: it is there completely or not at all. */
final class TopicMetadata {

    static final String FILE = "topic.properties";

    /** More partitions than this is a mistake. */
    static final int MAX_PARTITIONS = 10_000;

    private static final int FORMAT = 1;
    private static final int MAX_BYTES = 4096;
    private static final Pattern CONTENT = Pattern.compile("format=(\\d{1,9})\npartitions=(\\d{1,9})\n");

    private TopicMetadata() {}

    /** The number of partitions, or null if there is no such file. */
    static @Nullable Integer read(LogStorage storage, Path topicDirectory) throws IOException {
        if (!storage.list(topicDirectory).contains(FILE)) {
            return null;
        }
        Path path = topicDirectory.resolve(FILE);
        ByteBuffer bytes = ByteBuffer.allocate(MAX_BYTES);
        try (LogStorage.LogFile file = storage.openForRead(path)) {
            int read;
            do {
                read = file.read(bytes, bytes.position());
            } while (read > 0);
        }
        String text = StandardCharsets.UTF_8.decode(bytes.flip()).toString();
        Matcher matcher = CONTENT.matcher(text);
        if (!matcher.matches()) {
            throw new IOException(
                    path + " is damaged: '" + text + "' does not say format and partitions; restore the file");
        }
        int format = Integer.parseInt(matcher.group(1));
        if (format != FORMAT) {
            throw new IOException(path + " has format " + format + ", this version knows " + FORMAT
                    + "; open the log with a newer version");
        }
        return Integer.parseInt(matcher.group(2));
    }

    static void write(LogStorage storage, Path topicDirectory, int partitions) throws IOException {
        Path temporary = topicDirectory.resolve(FILE + ".tmp");
        byte[] content = ("format=" + FORMAT + "\npartitions=" + partitions + "\n").getBytes(StandardCharsets.UTF_8);
        try (LogStorage.LogFile file = storage.openForWrite(temporary)) {
            file.truncate(0);
            file.write(ByteBuffer.wrap(content), 0);
            file.force();
        }
        storage.rename(temporary, topicDirectory.resolve(FILE));
        storage.forceDirectory(topicDirectory);
    }
}
