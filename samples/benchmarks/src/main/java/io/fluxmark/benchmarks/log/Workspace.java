package io.fluxmark.benchmarks.log;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Directories for files that are measured and then deleted. */
public final class Workspace {

    private final Path parent;

    /** Below a directory that is there. */
    public Workspace(Path parent) {
        this.parent = parent;
    }

    /** The kind of file system they are on. */
    public String fileSystem() {
        try {
            return Files.getFileStore(parent).type();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Does something in a new directory and deletes that with all there is in it. */
    public void within(Consumer<Path> action) {
        try {
            Path directory = Files.createTempDirectory(parent, "fluxmark-bench");
            try {
                action.accept(directory);
            } finally {
                delete(directory);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void delete(Path directory) throws IOException {
        List<Path> all;
        try (Stream<Path> walk = Files.walk(directory)) {
            all = walk.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path path : all) {
            Files.delete(path);
        }
    }
}
