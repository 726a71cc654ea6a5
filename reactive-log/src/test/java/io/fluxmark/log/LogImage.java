package io.fluxmark.log;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/** The files of a log at one moment, to be damaged and opened again and again. Immutable. */
final class LogImage {

    static final String SEGMENT = Logs.TOPIC + "-0/";

    private final Map<String, byte[]> files;

    private LogImage(Map<String, byte[]> files) {
        this.files = files;
    }

    /** Taken while the log is open, it is what a crash of the process would leave. */
    static LogImage of(Path log) {
        Map<String, byte[]> files = new TreeMap<>();
        try (Stream<Path> all = Files.walk(log)) {
            for (Path file : all.filter(Files::isRegularFile).toList()) {
                if (!file.endsWith("LOCK")) {
                    files.put(log.relativize(file).toString(), Files.readAllBytes(file));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new LogImage(files);
    }

    static String segment(long base) {
        return SEGMENT + RecordLayout.segmentName(base);
    }

    List<String> names() {
        return List.copyOf(files.keySet());
    }

    byte[] bytes(String name) {
        return files.get(name).clone();
    }

    LogImage with(String name, byte[] content) {
        Map<String, byte[]> changed = new TreeMap<>(files);
        changed.put(name, content);
        return new LogImage(changed);
    }

    LogImage without(String name) {
        Map<String, byte[]> changed = new TreeMap<>(files);
        changed.remove(name);
        return new LogImage(changed);
    }

    /** Replaces whatever is there. */
    void writeTo(Path log) {
        try {
            if (Files.exists(log)) {
                try (Stream<Path> all = Files.walk(log)) {
                    for (Path path : all.sorted(Comparator.reverseOrder()).toList()) {
                        if (!path.equals(log)) {
                            Files.delete(path);
                        }
                    }
                }
            }
            Files.createDirectories(log.resolve(SEGMENT));
            for (Map.Entry<String, byte[]> file : files.entrySet()) {
                Path target = log.resolve(file.getKey());
                Files.createDirectories(target.getParent());
                Files.write(target, file.getValue());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
