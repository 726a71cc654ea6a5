package io.fluxmark.experiments.commitorder;

import io.fluxmark.test.ChildJvm;
import io.fluxmark.test.RunningJvm;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;

/**
 * Gives a child JVM its classes in a form that is mapped at once, which more than halves what a start costs. A class path with
 * directories in it, as in a build, can't have that, and starts as it does without.
 */
final class ChildArchive {

    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private ChildArchive() {}

    /** The child with an archive, made by one run of it that ends by itself, or as it was. */
    static ChildJvm of(ChildJvm child, Path directory) {
        if (!Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
                .map(Path::of)
                .allMatch(Files::isRegularFile)) {
            return child;
        }
        Path archive = directory.resolve("child.jsa");
        try (RunningJvm once = child.option("-XX:ArchiveClassesAtExit=" + archive)
                .option("-Xlog:disable")
                .args(directory.resolve("archived").toString(), CommitOrder.ATOMIC.name(), "20")
                .start()) {
            if (once.awaitExit(PATIENCE) != 0) {
                throw new IllegalStateException("a child that nobody kills ends: " + once.lines());
            }
        }
        return child.option("-XX:SharedArchiveFile=" + archive).option("-Xlog:disable");
    }
}
