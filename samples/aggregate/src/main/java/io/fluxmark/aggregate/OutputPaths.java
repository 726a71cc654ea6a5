package io.fluxmark.aggregate;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Looks at files that are to be written before anything is read, so that a long run does not fail at its end. */
final class OutputPaths {

    private final Path input;

    /** {@code input} is what must not be written over. */
    OutputPaths(String input) {
        this.input = Path.of(input);
    }

    /** {@code path}, if it can be written. */
    @Nullable
    Path checked(String option, @Nullable Path path) {
        if (path == null) {
            return null;
        }
        Path parent = path.toAbsolutePath().getParent();
        if (parent != null && !Files.isDirectory(parent)) {
            throw new UsageException(option + " " + path + ": there is no directory " + parent + ": create it first");
        }
        if (Files.isDirectory(path)) {
            throw new UsageException(option + " " + path + " is a directory: name a file in it");
        }
        if (isInput(path)) {
            throw new UsageException(option + " " + path + " is the input: write to another file");
        }
        return path;
    }

    private boolean isInput(Path path) {
        try {
            return Files.exists(path) && Files.exists(input) && Files.isSameFile(path, input);
        } catch (IOException e) {
            return false; // opening it will say what is wrong
        }
    }
}
