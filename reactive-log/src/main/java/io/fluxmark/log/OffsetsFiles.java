package io.fluxmark.log;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The files that say how far groups have come, {@code groups/NAME.offsets} in the log's directory, each replaced as a whole:
 *
 * <pre>
 * group-offsets 1
 * generation NUMBER
 * TOPIC PARTITION OFFSET
 * crc32c 0123abcd       of all that precedes this line
 * </pre>
 *
 * <p>A damaged one is an error and never taken for an empty one: the group would begin again. Reading is thread-safe.
 */
final class OffsetsFiles {

    static final String DIRECTORY = "groups";

    private static final String SUFFIX = ".offsets";
    private static final String TITLE = "group-offsets ";
    private static final String VERSION = "1";
    private static final String GENERATION = "generation ";
    private static final String CHECKSUM = "crc32c ";
    private static final int MAX_BYTES = 256 << 20;

    private final LogStorage storage;
    private final Path log;
    private final Path directory;

    OffsetsFiles(LogStorage storage, Path log) {
        this.storage = storage;
        this.log = log;
        this.directory = log.resolve(DIRECTORY);
    }

    /** The groups that have a file, by name. */
    List<String> groups() {
        try {
            return storage.list(directory).stream()
                    .filter(name -> name.endsWith(SUFFIX))
                    .map(name -> name.substring(0, name.length() - SUFFIX.length()))
                    .filter(LogLayout::isTopic)
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot list the groups in " + directory + ": " + e, e);
        }
    }

    /** What a group has committed, or null if it has no file. */
    @Nullable
    GroupOffsets read(String group) throws IOException {
        Path file = file(group);
        ByteBuffer bytes = SmallFile.read(storage, file, MAX_BYTES);
        return bytes == null
                ? null
                : parse(group, file, StandardCharsets.ISO_8859_1.decode(bytes).toString());
    }

    /** The same for a file that may have gone since it was listed: none or one. */
    List<GroupOffsets> readIfThere(String group) {
        try {
            return Optional.ofNullable(read(group)).stream().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    void write(GroupOffsets offsets) throws IOException {
        StringBuilder text = new StringBuilder(TITLE + VERSION + '\n')
                .append(GENERATION)
                .append(offsets.generation())
                .append('\n');
        offsets.offsets().forEach((id, offset) -> text.append(id.topic())
                .append(' ')
                .append(id.partition())
                .append(' ')
                .append(offset)
                .append('\n'));
        String checksum = checksum(text.toString());
        text.append(CHECKSUM).append(checksum).append('\n');
        if (storage.createDirectory(directory)) {
            storage.forceDirectory(log);
        }
        SmallFile.replace(
                storage, file(offsets.group()), ByteBuffer.wrap(text.toString().getBytes(StandardCharsets.ISO_8859_1)));
    }

    void delete(String group) throws IOException {
        if (storage.list(log).contains(DIRECTORY)) {
            storage.delete(file(group));
            storage.forceDirectory(directory);
        }
    }

    private Path file(String group) {
        return directory.resolve(group + SUFFIX);
    }

    private static GroupOffsets parse(String group, Path file, String text) throws IOException {
        if (text.startsWith(TITLE) && !text.startsWith(TITLE + VERSION + "\n")) {
            throw new UnsupportedFormatException(file + " has format '"
                    + text.lines().findFirst().orElse("") + "', this version reads '" + TITLE + VERSION
                    + "'; open it with the version that wrote it");
        }
        int end = text.lastIndexOf(CHECKSUM);
        if (end < 0 || !text.substring(end).equals(CHECKSUM + checksum(text.substring(0, end)) + "\n")) {
            throw damaged(file);
        }
        List<String> lines = text.substring(0, end).lines().toList();
        try {
            TreeMap<PartitionId, Long> offsets = new TreeMap<>();
            for (String line : lines.subList(2, lines.size())) {
                String[] words = line.split(" ", -1);
                offsets.put(new PartitionId(words[0], Integer.parseInt(words[1])), Long.parseLong(words[2]));
            }
            return new GroupOffsets(group, Long.parseLong(lines.get(1).substring(GENERATION.length())), offsets);
        } catch (IndexOutOfBoundsException | IllegalArgumentException e) {
            throw damaged(file);
        }
    }

    private static IOException damaged(Path file) {
        return new IOException(
                file + " is damaged: where the group stood is not known; put it back from a copy, or delete"
                        + " it and reset the group's offsets");
    }

    private static String checksum(String text) {
        CRC32C crc = new CRC32C();
        crc.update(text.getBytes(StandardCharsets.ISO_8859_1));
        return String.format("%08x", crc.getValue());
    }
}
