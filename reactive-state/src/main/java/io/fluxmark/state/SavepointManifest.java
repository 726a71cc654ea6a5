package io.fluxmark.state;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The file {@code MANIFEST} of a savepoint, as JSON. It is written last: where it is, the savepoint is complete.
 *
 * @param format version of this file and of the directory's layout
 */
record SavepointManifest(
        int format,
        long taken,
        long commit,
        List<Savepoint.Lane> lanes,
        Map<String, Long> entries,
        String checksum,
        Map<String, String> notes) {

    static final int FORMAT = 1;

    private static final String NAME = "MANIFEST";
    private static final JsonMapper JSON = JsonMapper.builder().build();

    static boolean existsIn(Path directory) {
        return Files.isRegularFile(directory.resolve(NAME));
    }

    /** Reads what a directory says of itself. Errors with {@link StateStoreException}. */
    static Savepoint read(Path directory) {
        if (String.valueOf(directory.getFileName()).endsWith(Savepoints.UNFINISHED)) {
            throw new StateStoreException(directory
                    + " is no complete savepoint: it was being written, and would have lost " + Savepoints.UNFINISHED
                    + " from its name in the end; use another savepoint, or take one again");
        }
        if (!existsIn(directory)) {
            throw new StateStoreException(directory + " is no complete savepoint: it has no " + NAME
                    + ", which is written last; use another savepoint, or take one again");
        }
        SavepointManifest manifest;
        try {
            manifest = JSON.readValue(Files.readAllBytes(directory.resolve(NAME)), SavepointManifest.class);
        } catch (IOException e) {
            throw new StateStoreException(
                    "The " + NAME + " of savepoint " + directory + " cannot be read; use another savepoint", e);
        }
        if (manifest.format() != FORMAT) {
            throw new StoreFormatException("Savepoint " + directory + " has format " + manifest.format()
                    + ", this version reads " + FORMAT + "; use the version that took it");
        }
        return new Savepoint(
                directory,
                manifest.taken(),
                manifest.commit(),
                manifest.lanes(),
                manifest.entries(),
                manifest.checksum(),
                manifest.notes());
    }

    /** Writes it durably. */
    static void write(Path directory, Savepoint savepoint) throws IOException {
        SavepointManifest manifest = new SavepointManifest(
                FORMAT,
                savepoint.taken(),
                savepoint.commit(),
                savepoint.lanes(),
                new TreeMap<>(savepoint.entries()),
                savepoint.checksum(),
                new TreeMap<>(savepoint.notes()));
        try (FileChannel channel =
                FileChannel.open(directory.resolve(NAME), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            ByteBuffer bytes = ByteBuffer.wrap(bytes(manifest));
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(true);
        }
    }

    private static byte[] bytes(SavepointManifest manifest) throws JsonProcessingException {
        return JSON.writerWithDefaultPrettyPrinter().writeValueAsBytes(manifest);
    }
}
