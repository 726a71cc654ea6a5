package io.fluxmark.test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** The files and names of a simulated disk, and which of the names would survive a power cut. Guarded by its disk. */
final class DiskContent {

    private final Map<Path, SimulatedFile> files = new TreeMap<>();
    private final Set<Path> directories = new HashSet<>();
    private final Set<Path> durableNames = new HashSet<>();

    @Nullable
    SimulatedFile file(Path path) {
        return files.get(path);
    }

    boolean hasDirectory(Path path) {
        return directories.contains(path);
    }

    long bytes() {
        return files.values().stream().mapToLong(SimulatedFile::size).sum();
    }

    /** The files whose names end so, in the order of their paths. */
    List<Path> files(String ending) {
        return files.keySet().stream()
                .filter(path -> path.toString().endsWith(ending))
                .toList();
    }

    /** Where a file stands now, or null when it is deleted. */
    @Nullable
    Path pathOf(SimulatedFile file) {
        for (Map.Entry<Path, SimulatedFile> each : files.entrySet()) {
            if (each.getValue() == file) {
                return each.getKey();
            }
        }
        return null;
    }

    List<String> list(Path directory) {
        Set<String> names = new TreeSet<>();
        for (Set<Path> paths : List.of(files.keySet(), directories)) {
            for (Path path : paths) {
                if (directory.equals(path.getParent())) {
                    names.add(String.valueOf(path.getFileName()));
                }
            }
        }
        return List.copyOf(names);
    }

    void apply(DiskChange change) {
        Path path = change.path();
        switch (change.kind()) {
            case CREATE -> files.put(path, new SimulatedFile());
            case WRITE -> existing(path).write(Objects.requireNonNull(change.bytes()), change.position());
            case TRUNCATE -> existing(path).truncate(change.position());
            case FORCE -> existing(path).force();
            case RENAME -> {
                files.put(Objects.requireNonNull(change.target()), existing(path));
                files.remove(path);
                durableNames.remove(path);
            }
            case DELETE -> {
                files.remove(path);
                directories.remove(path);
                durableNames.remove(path);
            }
            case MAKE_DIRECTORY -> directories.add(path);
            case FORCE_DIRECTORY -> {
                list(path).forEach(name -> durableNames.add(path.resolve(name)));
                durableNames.add(path);
            }
        }
    }

    private SimulatedFile existing(Path path) {
        return Objects.requireNonNull(files.get(path), () -> "no file " + path);
    }

    /** The same, to go on apart. */
    DiskContent copy() {
        DiskContent copy = new DiskContent();
        files.forEach((path, file) -> copy.files.put(path, file.copy()));
        copy.directories.addAll(directories);
        copy.durableNames.addAll(durableNames);
        return copy;
    }

    /** What is there after a power cut: what was forced; of other contents any sectors; of other names any. */
    DiskContent afterPowerCut(RandomGenerator random) {
        DiskContent left = new DiskContent();
        for (Path directory : new TreeSet<>(directories)) {
            if (durableNames.contains(directory) || random.nextBoolean()) {
                left.directories.add(directory);
            }
        }
        files.forEach((path, file) -> {
            boolean named = durableNames.contains(path) || random.nextBoolean();
            if (named && hasParents(path, left)) {
                left.files.put(path, file.afterPowerCut(random));
            }
        });
        left.durableNames.addAll(left.directories);
        left.durableNames.addAll(left.files.keySet());
        return left;
    }

    private boolean hasParents(Path path, DiskContent left) {
        for (Path parent = path.getParent(); parent != null; parent = parent.getParent()) {
            if (directories.contains(parent) && !left.directories.contains(parent)) {
                return false;
            }
        }
        return true;
    }

    /** Writes what lies below {@code root} as real files below {@code target}. */
    void writeTo(Path root, Path target) throws IOException {
        for (Map.Entry<Path, SimulatedFile> each : files.entrySet()) {
            if (each.getKey().startsWith(root)) {
                Path file = target.resolve(root.relativize(each.getKey()));
                Files.createDirectories(Objects.requireNonNull(file.getParent()));
                Files.write(file, each.getValue().content());
            }
        }
    }
}
