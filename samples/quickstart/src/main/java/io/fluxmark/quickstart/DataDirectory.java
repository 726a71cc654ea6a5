package io.fluxmark.quickstart;

import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.List;
import java.util.Properties;
import java.util.stream.Stream;

/** Where a run keeps its log and its store: a directory of the user's, or a temporary one that goes afterwards. */
final class DataDirectory implements AutoCloseable {

    private static final String SETTINGS = "demo.properties";

    private final Path path;
    private final boolean temporary;

    private DataDirectory(Path path, boolean temporary) {
        this.path = path;
        this.temporary = temporary;
    }

    /**
     * Opens or creates it. A directory remembers the settings that shape its results; others are refused, because a
     * job can't change them half way.
     */
    static DataDirectory open(DemoSettings settings) throws IOException {
        Path given = settings.data();
        Path path = given == null ? Files.createTempDirectory("fluxmark-demo-") : Files.createDirectories(given);
        Properties wanted = new Properties();
        wanted.setProperty("delay", settings.delay().toString());
        wanted.setProperty("lateness", settings.lateness().toString());
        wanted.setProperty("late", settings.late().name());
        Path file = path.resolve(SETTINGS);
        if (Files.exists(file)) {
            check(file, wanted);
        } else {
            write(file, wanted);
        }
        return new DataDirectory(path, given == null && !settings.keep());
    }

    Path path() {
        return path;
    }

    Path log() {
        return path.resolve("log");
    }

    Path state() {
        return path.resolve("state");
    }

    /** Removes a temporary directory. */
    @Override
    public void close() {
        if (!temporary) {
            return;
        }
        try (Stream<Path> files = Files.walk(path)) {
            List<Path> deepestFirst = files.sorted(Comparator.reverseOrder()).toList();
            for (Path each : deepestFirst) {
                Files.deleteIfExists(each);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("The temporary directory " + path + " can't be removed", e);
        }
    }

    private static void check(Path file, Properties wanted) throws IOException {
        Properties found = new Properties();
        try (Reader reader = Files.newBufferedReader(file)) {
            found.load(reader);
        }
        for (String name : wanted.stringPropertyNames()) {
            if (!wanted.getProperty(name).equals(found.getProperty(name))) {
                throw new DataMismatchException(file.getParent() + " was made with --" + name + " "
                        + found.getProperty(name) + ", not " + wanted.getProperty(name)
                        + ": use the same, or another directory.");
            }
        }
    }

    private static void write(Path file, Properties settings) throws IOException {
        Path draft = file.resolveSibling(SETTINGS + ".new");
        try (Writer writer = Files.newBufferedWriter(draft)) {
            settings.store(writer, null);
        }
        Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
