package io.fluxmark.log;

import java.nio.file.Path;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Where in a log's directory its topics lie. Stateless.
 *
 * <p>A name can be read in one way only: partition directories end with {@code -} and digits, metadata files with {@code .topic} or {@code .deleted}.
 * Partition 0 of topic {@code a-1} is {@code a-1-0}, partition 1 of topic {@code a} is {@code a-1}. What is a topic is said by the
 * metadata files alone.
 */
final class LogLayout {

    static final String METADATA_SUFFIX = ".topic";

    /** What the metadata file is called from the moment on at which the topic is none any more, until all its files are gone. */
    static final String DELETED_SUFFIX = ".deleted";

    private static final Pattern TOPIC = Pattern.compile("[A-Za-z0-9._-]{1,200}");

    private static final Pattern NUMBER = Pattern.compile("\\d{1,9}");

    private LogLayout() {}

    static void checkTopic(String name) {
        if (!isTopic(name)) {
            throw new IllegalArgumentException("topic name '" + name
                    + "' must be 1 to 200 of A-Z, a-z, 0-9, '.', '_', '-', and neither '.' nor '..'");
        }
    }

    static String metadataName(String topic) {
        return topic + METADATA_SUFFIX;
    }

    static Path metadataFile(Path log, String topic) {
        return log.resolve(metadataName(topic));
    }

    static Path partitionDirectory(Path log, PartitionId partition) {
        return log.resolve(partition.topic() + "-" + partition.partition());
    }

    /** The topic whose metadata a file of that name holds, or null if it is another file. */
    static @Nullable String topicOf(String fileName) {
        return stem(fileName, METADATA_SUFFIX);
    }

    /** The topic that a file of that name says has been deleted; none if it is another file. */
    static Stream<String> deletedTopicsOf(String fileName) {
        return Stream.ofNullable(stem(fileName, DELETED_SUFFIX));
    }

    static Path deletedFile(Path log, String topic) {
        return log.resolve(topic + DELETED_SUFFIX);
    }

    /** Whether a directory of that name is a partition of that topic. */
    static boolean isPartitionOf(String topic, String directoryName) {
        return directoryName.startsWith(topic + "-")
                && NUMBER.matcher(directoryName)
                        .region(topic.length() + 1, directoryName.length())
                        .matches();
    }

    /** The same as a stream of one or none. */
    static Stream<String> topicsOf(String fileName) {
        return Stream.ofNullable(topicOf(fileName));
    }

    private static @Nullable String stem(String fileName, String suffix) {
        if (!fileName.endsWith(suffix)) {
            return null;
        }
        String topic = fileName.substring(0, fileName.length() - suffix.length());
        return isTopic(topic) ? topic : null;
    }

    static boolean isTopic(String name) {
        return TOPIC.matcher(name).matches() && !name.equals(".") && !name.equals("..");
    }
}
