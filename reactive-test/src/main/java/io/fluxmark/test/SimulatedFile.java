package io.fluxmark.test;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** A file in memory: what readers see, what is forced, and the changes in between. Guarded by its disk. */
final class SimulatedFile {

    /** What a disk writes as a whole. */
    private static final int SECTOR = 512;

    /** A write, or a truncation to {@code position} if there are no bytes. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Pending(byte @Nullable [] bytes, long position) {}

    private final List<Pending> pending = new ArrayList<>();
    private byte[] bytes;
    private int size;
    private byte[] platter;

    SimulatedFile() {
        this(new byte[0]);
    }

    private SimulatedFile(byte[] content) {
        bytes = content;
        size = content.length;
        platter = content;
    }

    /** The same file on another disk. */
    SimulatedFile copy() {
        SimulatedFile copy = new SimulatedFile(Arrays.copyOf(bytes, size));
        copy.platter = platter;
        copy.pending.addAll(pending);
        return copy;
    }

    int size() {
        return size;
    }

    byte[] content() {
        return Arrays.copyOf(bytes, size);
    }

    int read(ByteBuffer target, long position) {
        if (position >= size) {
            return -1;
        }
        int length = (int) Math.min(target.remaining(), size - position);
        target.put(bytes, (int) position, length);
        return length;
    }

    void write(byte[] written, long position) {
        int end = Math.toIntExact(position + written.length);
        if (end > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(end, 2 * bytes.length));
        }
        System.arraycopy(written, 0, bytes, (int) position, written.length);
        size = Math.max(size, end);
        pending.add(new Pending(written, position));
    }

    void truncate(long newSize) {
        if (newSize < size) {
            Arrays.fill(bytes, (int) newSize, size, (byte) 0);
            size = (int) newSize;
            pending.add(new Pending(null, newSize));
        }
    }

    void force() {
        if (!pending.isEmpty()) {
            platter = content();
            pending.clear();
        }
    }

    /** Forgets what is not forced, as a failed fsync on Linux does: readable for now, and never written. */
    void forgetPending() {
        pending.clear();
    }

    /** The file after a power cut: what is forced, and of the rest any sectors. */
    SimulatedFile afterPowerCut(RandomGenerator random) {
        byte[] image = platter.clone();
        int share = random.nextInt(101);
        for (Pending change : pending) {
            byte[] written = change.bytes;
            if (written == null) {
                if (random.nextInt(100) < share) {
                    image = Arrays.copyOf(image, (int) change.position);
                }
                continue;
            }
            int position = (int) change.position;
            for (int from = 0; from < written.length; ) {
                int to = Math.min(written.length, ((position + from) / SECTOR + 1) * SECTOR - position);
                if (random.nextInt(100) < share) {
                    int end = position + to;
                    image = image.length >= end ? image : Arrays.copyOf(image, end);
                    System.arraycopy(written, from, image, position + from, to - from);
                }
                from = to;
            }
        }
        return new SimulatedFile(image);
    }
}
