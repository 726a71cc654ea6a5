package io.fluxmark.log;

import java.nio.file.Path;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Where in a log's directory its topics lie. Stateless.
 *
 * <p>A name can be read in one way only: partition directories end with {@code -} and digits, metadata files with {@code .topic}.
 * Partition 0 of topic {@code a-1} is {@code a-1-0}, partition 1 of topic {@code a} is {@code a-1}. What is a topic is said by the
 * metadata files alone.
 */
final class LogLayout {

    static final String METADATA_SUFFIX = ".topic";

    private static final Pattern TOPIC = Pattern.compile("[A-Za-z0-9._-]{1,200}");

    private LogLayout() {}

    static void checkTopic(String name) {
        if (!isTopic(name)) {
            throw new IllegalArgumentException("topic name '" + name
                    + "' must be 1 to 200 of A-Z, a-z, 0-9, '.', '_', '-', and neither '.' nor '..'");
        }
    }

    static Path metadataFile(Path log, String topic) {
        return log.resolve(topic + METADATA_SUFFIX);
    }

    static Path partitionDirectory(Path log, PartitionId partition) {
        return log.resolve(partition.topic() + "-" + partition.partition());
    }

    /** The topic whose metadata a file of that name holds, or null if it is another file. */
    static @Nullable String topicOf(String fileName) {
        if (!fileName.endsWith(METADATA_SUFFIX)) {
            return null;
        }
        String topic = fileName.substring(0, fileName.length() - METADATA_SUFFIX.length());
        return isTopic(topic) ? topic : null;
    }

    private static boolean isTopic(String name) {
        return TOPIC.matcher(name).matches() && !name.equals(".") && !name.equals("..");
    }
}
