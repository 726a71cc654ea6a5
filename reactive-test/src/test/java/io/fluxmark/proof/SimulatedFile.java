package io.fluxmark.proof;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** A file in memory: what readers see, what is forced, and the changes in between. Guarded by its machine. */
final class SimulatedFile {

    private static final int BLOCK = 512;

    /** A write, or a truncation to {@code position} if there are no bytes. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Change(byte[] bytes, long position) {}

    private final List<Change> pending = new ArrayList<>();
    private byte[] bytes;
    private int size;
    private byte[] platter;

    SimulatedFile(byte[] content) {
        bytes = content.clone();
        size = content.length;
        platter = content.clone();
    }

    long size() {
        return size;
    }

    int read(ByteBuffer target, long position) {
        if (position >= size) {
            return -1;
        }
        int length = (int) Math.min(target.remaining(), size - position);
        target.put(bytes, (int) position, length);
        return length;
    }

    void write(ByteBuffer source, long position) {
        byte[] written = new byte[source.remaining()];
        source.get(written);
        int end = (int) position + written.length;
        if (end > bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(end, 2 * bytes.length));
        }
        System.arraycopy(written, 0, bytes, (int) position, written.length);
        size = Math.max(size, end);
        pending.add(new Change(written, position));
    }

    void truncate(long newSize) {
        if (newSize < size) {
            Arrays.fill(bytes, (int) newSize, size, (byte) 0);
            size = (int) newSize;
            pending.add(new Change(null, newSize));
        }
    }

    void force() {
        if (!pending.isEmpty()) {
            platter = Arrays.copyOf(bytes, size);
            pending.clear();
        }
    }

    /** Forgets what is not forced, as a failed fsync on Linux does: readable for now, and never written. */
    void forgetPending() {
        pending.clear();
    }

    /** What a reader sees. */
    byte[] content() {
        return Arrays.copyOf(bytes, size);
    }

    /** What a power cut leaves now: what is forced, and of the rest any blocks. */
    byte[] remains(Random random) {
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
                int to = Math.min(change.bytes.length, ((position + from) / BLOCK + 1) * BLOCK - position);
                if (random.nextInt(100) < share) {
                    int end = position + to;
                    image = image.length >= end ? image : Arrays.copyOf(image, end);
                    System.arraycopy(change.bytes, from, image, position + from, to - from);
                }
                from = to;
            }
        }
        return image;
    }
}
