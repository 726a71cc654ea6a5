package io.fluxmark.state;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import org.h2.store.fs.FileBaseDefault;
import org.h2.store.fs.FilePath;
import org.h2.store.fs.FilePathWrapper;

/**
 * Disks in memory that lose power: what was not forced reaches the platter as a random subset of blocks, in any order.
 * Renames count as durable at once.
 */
public final class PowerCutFileSystem extends FilePathWrapper {

    static final String SCHEME = "fluxpower";

    private static final Map<String, Disk> DISKS = new ConcurrentHashMap<>();

    /** For H2. */
    public PowerCutFileSystem() {}

    static Disk disk(String path) {
        return DISKS.computeIfAbsent(path, missing -> new Disk());
    }

    @Override
    public String getScheme() {
        return SCHEME;
    }

    private String path() {
        return getBase().toString();
    }

    @Override
    public boolean exists() {
        return DISKS.containsKey(path()) || Files.isDirectory(Path.of(path()));
    }

    @Override
    public boolean canWrite() {
        return true;
    }

    @Override
    public long size() {
        return disk(path()).size();
    }

    @Override
    public void delete() {
        DISKS.remove(path());
    }

    @Override
    public void moveTo(FilePath target, boolean atomicReplace) {
        DISKS.put(((PowerCutFileSystem) target).path(), DISKS.remove(path()));
    }

    @Override
    public FileChannel open(String mode) {
        return new Channel(disk(path()));
    }

    /** A write, or a truncation to {@code position} if there are no bytes. */
    @SuppressWarnings("ArrayRecordComponent")
    private record Change(byte[] bytes, long position) {}

    static final class Disk {

        private byte[] seen = new byte[0];
        private byte[] platter = new byte[0];
        private final List<Change> pending = new ArrayList<>();
        private boolean failing;
        private Runnable afterChange = () -> {};

        /**
         * Lets the next force fail as Linux does: the pages are taken for clean, so they stay readable and never reach
         * the platter by themselves.
         */
        synchronized void failNextForce() {
            failing = true;
        }

        void afterChange(Runnable action) {
            afterChange = action;
        }

        synchronized int size() {
            return seen.length;
        }

        /** What a reader finds after a cut now, with blocks of the given size torn at random. */
        synchronized byte[] cut(Random random, int block) {
            byte[] image = platter.clone();
            int share = random.nextInt(101);
            for (Change change : pending) {
                if (change.bytes == null) {
                    if (random.nextInt(100) < share) {
                        image = Arrays.copyOf(image, (int) change.position);
                    }
                    continue;
                }
                int position = (int) change.position;
                for (int from = 0; from < change.bytes.length; ) {
                    int to = Math.min(change.bytes.length, ((position + from) / block + 1) * block - position);
                    if (random.nextInt(100) < share) {
                        image = write(image, Arrays.copyOfRange(change.bytes, from, to), position + from);
                    }
                    from = to;
                }
            }
            return image;
        }

        private synchronized void change(Change change) {
            pending.add(change);
            seen = apply(seen, change);
        }

        private synchronized void force() throws IOException {
            if (failing) {
                failing = false;
                pending.clear();
                throw new IOException("Input/output error (injected)");
            }
            for (Change change : pending) {
                platter = apply(platter, change);
            }
            pending.clear();
        }

        private synchronized int read(ByteBuffer target, long position) {
            if (position >= seen.length) {
                return -1;
            }
            int length = (int) Math.min(target.remaining(), seen.length - position);
            target.put(seen, (int) position, length);
            return length;
        }

        private static byte[] apply(byte[] image, Change change) {
            return change.bytes == null
                    ? Arrays.copyOf(image, (int) change.position)
                    : write(image, change.bytes, (int) change.position);
        }

        private static byte[] write(byte[] image, byte[] bytes, int position) {
            byte[] result =
                    image.length >= position + bytes.length ? image : Arrays.copyOf(image, position + bytes.length);
            System.arraycopy(bytes, 0, result, position, bytes.length);
            return result;
        }
    }

    private static final class Channel extends FileBaseDefault {

        private final Disk disk;

        Channel(Disk disk) {
            this.disk = disk;
        }

        @Override
        public long size() {
            return disk.size();
        }

        @Override
        @SuppressWarnings("UnsynchronizedOverridesSynchronized")
        public int read(ByteBuffer target, long position) {
            return disk.read(target, position);
        }

        @Override
        @SuppressWarnings("UnsynchronizedOverridesSynchronized")
        public int write(ByteBuffer source, long position) {
            byte[] bytes = new byte[source.remaining()];
            source.get(bytes);
            disk.change(new Change(bytes, position));
            disk.afterChange.run();
            return bytes.length;
        }

        @Override
        protected void implTruncate(long size) {
            disk.change(new Change(null, size));
            disk.afterChange.run();
        }

        @Override
        public void force(boolean metaData) throws IOException {
            disk.force();
            disk.afterChange.run();
        }

        @Override
        public FileLock tryLock(long position, long size, boolean shared) {
            return new DirectoryLock.Covered(this, position, size, shared);
        }

        @Override
        protected void implCloseChannel() {}
    }
}
