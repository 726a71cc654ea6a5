package io.fluxmark.proof;

import io.fluxmark.log.LogStorage;
import java.io.Closeable;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * A machine whose log and store lie on one disk in memory, and lose power at the same moment: what was not forced, contents
 * and names, is there in part or not at all. Renames of the store's file count as durable at once. Thread-safe.
 */
final class Machine implements LogStorage {

    /** What is done to a file. */
    enum Act {
        CHANGE,
        FORCE
    }

    /** Is told before a file is changed or forced, may wait, and may fail it. */
    interface Watcher {
        void before(Act act, Path file) throws IOException;
    }

    private final Map<Path, SimulatedFile> files = new TreeMap<>();
    private final Set<Path> directories = new HashSet<>();
    private final Set<Path> durableNames = new HashSet<>();
    private volatile Watcher watcher = (act, file) -> {};
    private volatile Consumer<Machine> afterChange = machine -> {};

    /** How many bytes the files may have together. */
    private long capacity = Long.MAX_VALUE;

    /** What a disk holds after a cut. */
    record Image(Map<Path, byte[]> files, Set<Path> directories) {

        /** The same with all that lies below {@code from} below {@code to}. */
        Image moved(Path from, Path to) {
            Map<Path, byte[]> movedFiles = new HashMap<>();
            files.forEach((path, bytes) -> movedFiles.put(to.resolve(from.relativize(path)), bytes));
            Set<Path> movedDirectories = new HashSet<>();
            directories.forEach(path -> movedDirectories.add(to.resolve(from.relativize(path))));
            return new Image(movedFiles, movedDirectories);
        }

        /** The same with another content of one file. */
        Image with(Path file, byte[] content) {
            Map<Path, byte[]> changed = new HashMap<>(files);
            changed.put(file, content);
            return new Image(changed, directories);
        }
    }

    Machine() {}

    Machine(Image image) {
        image.files.forEach((path, bytes) -> files.put(path, new SimulatedFile(bytes)));
        directories.addAll(image.directories);
        durableNames.addAll(image.files.keySet());
        durableNames.addAll(image.directories);
    }

    void watch(Watcher newWatcher) {
        watcher = newWatcher;
    }

    /** Is run after each change and force, on the thread that made it. */
    void afterChange(Consumer<Machine> action) {
        afterChange = action;
    }

    /** Leaves room for so many bytes more. */
    synchronized void leaveRoom(long bytes) {
        capacity = bytes == Long.MAX_VALUE ? bytes : used() + bytes;
    }

    private long used() {
        return files.values().stream().mapToLong(SimulatedFile::size).sum();
    }

    /** Writes as much as there is room for, as a file system does. */
    private void writeWithinCapacity(SimulatedFile file, ByteBuffer source, long position) throws IOException {
        long room = capacity == Long.MAX_VALUE ? capacity : Math.max(0, capacity - used());
        long growth = Math.max(0, position + source.remaining() - file.size());
        if (growth <= room) {
            file.write(source, position);
            return;
        }
        long fits = source.remaining() - (growth - room);
        if (fits > 0) {
            source.limit(source.position() + (int) fits);
            file.write(source, position);
        }
        throw new IOException("No space left on device");
    }

    /** The disk as it is, nothing lost. */
    synchronized Image image() {
        Map<Path, byte[]> contents = new HashMap<>();
        files.forEach((path, file) -> contents.put(path, file.content()));
        return new Image(contents, Set.copyOf(directories));
    }

    /** The disk as a cut of the power would leave it now. */
    synchronized Image cut(Random random) {
        Set<Path> there = new HashSet<>();
        for (Path directory : directories) {
            if (durableNames.contains(directory) || random.nextBoolean()) {
                there.add(directory);
            }
        }
        Map<Path, byte[]> contents = new HashMap<>();
        files.forEach((path, file) -> {
            boolean named = durableNames.contains(path) || random.nextBoolean();
            if (named && allParentsThere(path, there)) {
                contents.put(path, file.remains(random));
            }
        });
        return new Image(contents, there);
    }

    private boolean allParentsThere(Path path, Set<Path> there) {
        for (Path parent = path.getParent(); parent != null; parent = parent.getParent()) {
            if (directories.contains(parent) && !there.contains(parent)) {
                return false;
            }
        }
        return true;
    }

    synchronized boolean exists(Path path) {
        return files.containsKey(path);
    }

    synchronized long size(Path path) {
        SimulatedFile file = files.get(path);
        return file == null ? 0 : file.size();
    }

    /** Makes the next force of a file fail; what was to be forced is never written. */
    void failForce(Path path) throws IOException {
        synchronized (this) {
            SimulatedFile file = files.get(path);
            if (file != null) {
                file.forgetPending();
            }
        }
        throw new IOException("Input/output error (injected)");
    }

    /** A rename that is durable at once. */
    synchronized void move(Path from, Path to) {
        files.put(to, files.remove(from));
        durableNames.remove(from);
        durableNames.add(to);
    }

    synchronized LogFile open(Path path, boolean create) throws FileNotFoundException {
        if (!files.containsKey(path)) {
            if (!create) {
                throw new FileNotFoundException(path.toString());
            }
            files.put(path, new SimulatedFile(new byte[0]));
        }
        return new Opened(path, files.get(path));
    }

    @Override
    public synchronized List<String> list(Path directory) {
        Set<String> names = new HashSet<>();
        for (Set<Path> paths : List.of(files.keySet(), directories)) {
            for (Path path : paths) {
                if (directory.equals(path.getParent())) {
                    names.add(path.getFileName().toString());
                }
            }
        }
        return List.copyOf(names);
    }

    @Override
    public synchronized boolean createDirectory(Path directory) {
        return directories.add(directory);
    }

    @Override
    public LogFile openForRead(Path file) throws IOException {
        return open(file, false);
    }

    @Override
    public LogFile openForWrite(Path file) throws IOException {
        return open(file, true);
    }

    @Override
    public synchronized void rename(Path from, Path to) {
        files.put(to, files.remove(from));
        durableNames.remove(from);
    }

    @Override
    public synchronized void delete(Path file) {
        files.remove(file);
        durableNames.remove(file);
    }

    @Override
    public synchronized void forceDirectory(Path directory) {
        list(directory).forEach(name -> durableNames.add(directory.resolve(name)));
        durableNames.add(directory);
    }

    @Override
    public Closeable lock(Path file) {
        return () -> {};
    }

    private final class Opened implements LogFile {

        private final Path path;
        private final SimulatedFile file;

        Opened(Path path, SimulatedFile file) {
            this.path = path;
            this.file = file;
        }

        @Override
        public int read(ByteBuffer target, long position) {
            synchronized (Machine.this) {
                return file.read(target, position);
            }
        }

        @Override
        public void write(ByteBuffer source, long position) throws IOException {
            watcher.before(Act.CHANGE, path);
            synchronized (Machine.this) {
                writeWithinCapacity(file, source, position);
            }
            afterChange.accept(Machine.this);
        }

        @Override
        public long size() {
            synchronized (Machine.this) {
                return file.size();
            }
        }

        @Override
        public void truncate(long size) throws IOException {
            watcher.before(Act.CHANGE, path);
            synchronized (Machine.this) {
                file.truncate(size);
            }
            afterChange.accept(Machine.this);
        }

        @Override
        public void force() throws IOException {
            watcher.before(Act.FORCE, path);
            synchronized (Machine.this) {
                file.force();
            }
            afterChange.accept(Machine.this);
        }

        @Override
        public void close() {
            // nothing is held
        }
    }
}
