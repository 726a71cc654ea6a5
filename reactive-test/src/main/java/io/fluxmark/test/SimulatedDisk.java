package io.fluxmark.test;

import io.fluxmark.log.LogStorage;
import io.fluxmark.state.StoreStorage;
import java.io.Closeable;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A disk in memory that holds a log and a store, and can fill up, fail and lose power: what was not forced, contents and
 * names, is then there in part or not at all, of both at the same moment.
 *
 * <pre>{@code
 * SimulatedDisk disk = SimulatedDisk.empty();
 * EventLog log = EventLog.open(directory.resolve("log"), LogSpec.defaults().storage(disk)).block();
 * StateStore store = StateStore.open(directory.resolve("state"), StoreSpec.defaults().storage(disk)).block();
 * disk.inject(DiskFault.FORCE_FAILS, 3, 1);       // the fourth force from now on fails
 * disk.roomFor(10_000);                           // full after 10,000 more bytes
 * SimulatedDisk later = disk.afterPowerCut(seed); // open log and store again on what is left
 * }</pre>
 *
 * <p>Two stores of the same directory can be open on different disks one after the other, not at once. Thread-safe.
 * Everything is kept in memory; a file has less than 2 GiB.
 */
public final class SimulatedDisk implements LogStorage, StoreStorage {

    private final DiskContent content;
    private final FaultPlan faults = new FaultPlan();
    private final @Nullable DiskContent before;
    private final List<DiskChange> journal = new ArrayList<>();
    private long changes;

    private SimulatedDisk(DiskContent content, boolean recording) {
        this.content = content;
        this.before = recording ? content.copy() : null;
    }

    /** A disk with nothing on it. */
    public static SimulatedDisk empty() {
        return new SimulatedDisk(new DiskContent(), false);
    }

    static SimulatedDisk of(DiskContent content) {
        return new SimulatedDisk(content, false);
    }

    /** The same disk, its changes from now on recorded. */
    SimulatedDisk recording() {
        synchronized (this) {
            return new SimulatedDisk(content.copy(), true);
        }
    }

    /** All that has changed since recording began, one by one. */
    DiskReplay replay() {
        synchronized (this) {
            if (before == null) {
                throw new IllegalStateException("the changes of this disk are not recorded");
            }
            return new DiskReplay(before.copy(), List.copyOf(journal));
        }
    }

    /** What a new process finds when the old one is killed now: all that was written, forced or not. */
    public synchronized SimulatedDisk afterKill() {
        return of(content.copy());
    }

    /** What a machine finds when the power fails now, and comes back: the same for the same seed and moment. */
    public synchronized SimulatedDisk afterPowerCut(long seed) {
        return of(content.afterPowerCut(new SplittableRandom(seed)));
    }

    /** How many changes there have been: writes, truncations, forces, and those of names. */
    public synchronized long changes() {
        return changes;
    }

    /** How many bytes its files have. */
    public synchronized long bytes() {
        return content.bytes();
    }

    /**
     * Lets something go wrong; replaces what was injected before.
     *
     * @param after how many writes, or forces, pass before
     * @param times how often it happens then
     */
    public void inject(DiskFault fault, long after, long times) {
        inject(fault, after, times, path -> true);
    }

    /** The same of some files only, and only their writes and forces are counted. */
    public synchronized void inject(DiskFault fault, long after, long times, Predicate<Path> files) {
        if (after < 0 || times < 0) {
            throw new IllegalArgumentException(
                    "a fault comes after at least 0 operations, at least 0 times, but was told " + after + ", "
                            + times);
        }
        faults.arm(fault, after, times, files);
    }

    /** Leaves room for so many more bytes: a write that does not fit writes what does, and fails. */
    public synchronized void roomFor(long bytes) {
        if (bytes < 0) {
            throw new IllegalArgumentException("room is at least 0 bytes but was " + bytes);
        }
        faults.room(bytes);
    }

    /** From now on there is room, and nothing fails. */
    public synchronized void heal() {
        faults.heal();
    }

    /** How often something has gone wrong so far. */
    public synchronized long injected() {
        return faults.injected();
    }

    /** Writes what lies below {@code root} as real files below {@code target}, for a closer look. */
    public synchronized void writeTo(Path root, Path target) {
        try {
            content.writeTo(root, target);
        } catch (IOException e) {
            throw new UncheckedIOException("can't write the files of the disk to " + target, e);
        }
    }

    /** The files whose names end so, in the order of their paths. */
    synchronized List<Path> files(String ending) {
        return content.files(ending);
    }

    private void change(DiskChange change) {
        content.apply(change);
        changes++;
        if (before != null) {
            journal.add(change);
        }
    }

    @Override
    public synchronized List<String> list(Path directory) {
        return content.list(directory);
    }

    @Override
    public synchronized boolean createDirectory(Path directory) {
        if (content.hasDirectory(directory)) {
            return false;
        }
        change(DiskChange.of(DiskChange.Kind.MAKE_DIRECTORY, directory));
        return true;
    }

    @Override
    public synchronized LogFile openForRead(Path file) throws IOException {
        SimulatedFile found = content.file(file);
        if (found == null) {
            throw new FileNotFoundException(file.toString());
        }
        return new Opened(found);
    }

    @Override
    public LogFile openForWrite(Path file) {
        return opened(file);
    }

    @Override
    public StoredFile open(Path file) {
        return opened(file);
    }

    private synchronized Opened opened(Path path) {
        SimulatedFile found = content.file(path);
        if (found == null) {
            change(DiskChange.of(DiskChange.Kind.CREATE, path));
            found = content.file(path);
        }
        return new Opened(Objects.requireNonNull(found));
    }

    @Override
    public synchronized boolean exists(Path file) {
        return content.file(file) != null;
    }

    @Override
    public synchronized long size(Path file) {
        SimulatedFile found = content.file(file);
        return found == null ? 0 : found.size();
    }

    @Override
    public synchronized void rename(Path from, Path to) throws IOException {
        if (content.file(from) == null) {
            throw new FileNotFoundException(from.toString());
        }
        change(DiskChange.rename(from, to));
    }

    @Override
    public synchronized void delete(Path file) {
        if (content.file(file) != null || content.hasDirectory(file)) {
            change(DiskChange.of(DiskChange.Kind.DELETE, file));
        }
    }

    @Override
    public synchronized void forceDirectory(Path directory) {
        change(DiskChange.of(DiskChange.Kind.FORCE_DIRECTORY, directory));
    }

    /** Nothing: what is simulated has one owner. */
    @Override
    public Closeable lock(Path file) {
        return () -> {};
    }

    private synchronized int read(SimulatedFile file, ByteBuffer target, long position) {
        return file.read(target, position);
    }

    private synchronized void write(SimulatedFile file, ByteBuffer source, long position) throws IOException {
        byte[] bytes = new byte[source.remaining()];
        source.get(bytes);
        Path path = content.pathOf(file);
        if (path == null) {
            // Deleted while open: nobody will find what is written.
            file.write(bytes, position);
            return;
        }
        DiskFault fault = faults.next(false, path);
        if (fault == DiskFault.WRITE_FAILS) {
            throw new IOException("Input/output error in " + path + " (simulated)");
        }
        if (fault == DiskFault.SHORT_WRITE) {
            change(DiskChange.write(path, Arrays.copyOf(bytes, bytes.length / 2), position));
            throw new IOException("Input/output error in " + path + " after half of a write (simulated)");
        }
        long growth = Math.max(0, position + bytes.length - file.size());
        long fits = faults.take(growth);
        if (fits < growth) {
            int length = (int) (bytes.length - (growth - fits));
            if (length > 0) {
                change(DiskChange.write(path, Arrays.copyOf(bytes, length), position));
            }
            throw new IOException("No space left on device in " + path + " (simulated)");
        }
        change(DiskChange.write(path, bytes, position));
    }

    private synchronized void truncate(SimulatedFile file, long size) {
        Path path = content.pathOf(file);
        if (path != null) {
            change(DiskChange.truncate(path, size));
        }
    }

    private synchronized void force(SimulatedFile file) throws IOException {
        Path path = content.pathOf(file);
        if (path == null) {
            return;
        }
        DiskFault fault = faults.next(true, path);
        if (fault == DiskFault.FORCE_FAILS) {
            file.forgetPending();
            throw new IOException("Input/output error in " + path + " (simulated)");
        }
        if (fault != DiskFault.FORCE_LIES) {
            change(DiskChange.of(DiskChange.Kind.FORCE, path));
        }
    }

    private final class Opened implements LogFile, StoredFile {

        private final SimulatedFile file;

        Opened(SimulatedFile file) {
            this.file = file;
        }

        @Override
        public int read(ByteBuffer target, long position) {
            return SimulatedDisk.this.read(file, target, position);
        }

        @Override
        public void write(ByteBuffer source, long position) throws IOException {
            SimulatedDisk.this.write(file, source, position);
        }

        @Override
        public long size() {
            synchronized (SimulatedDisk.this) {
                return file.size();
            }
        }

        @Override
        public void truncate(long size) {
            SimulatedDisk.this.truncate(file, size);
        }

        @Override
        public void force() throws IOException {
            SimulatedDisk.this.force(file);
        }

        @Override
        public void close() {
            // nothing is held
        }
    }
}
