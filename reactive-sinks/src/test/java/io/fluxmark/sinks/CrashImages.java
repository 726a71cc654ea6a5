package io.fluxmark.sinks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

/**
 * Copies of a directory as a killed process would leave it, taken before and after what the executors run: one task at a
 * time, so no copy is of a moment in the middle of another write.
 */
final class CrashImages {

    private final Path source;
    private final Path target;
    private final BooleanSupplier wanted;
    private final List<Path> images = new ArrayList<>();

    /** @param wanted whether the next boundary is worth a copy */
    CrashImages(Path source, Path target, BooleanSupplier wanted) {
        this.source = source;
        this.target = target;
        this.wanted = wanted;
    }

    Executor around(Executor executor) {
        return task -> executor.execute(() -> {
            synchronized (this) {
                take();
                task.run();
                take();
            }
        });
    }

    synchronized List<Path> images() {
        return List.copyOf(images);
    }

    private void take() {
        if (!wanted.getAsBoolean()) {
            return;
        }
        Path image = target.resolve("image" + images.size());
        copy(source, image);
        images.add(image);
    }

    static void copy(Path from, Path to) {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Path copy = to.resolve(from.relativize(file).toString());
                if (Files.isDirectory(file)) {
                    Files.createDirectories(copy);
                } else {
                    Files.copy(file, copy);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
