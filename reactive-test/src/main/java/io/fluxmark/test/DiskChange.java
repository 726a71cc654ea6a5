package io.fluxmark.test;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * One change of a simulated disk: a boundary at which a process can be killed. The bytes are never changed.
 *
 * @param path the file or directory
 * @param target where a file is renamed to
 * @param bytes what is written
 * @param position where it is written, or the size that is cut to
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record DiskChange(Kind kind, Path path, @Nullable Path target, byte @Nullable [] bytes, long position) {

    /** What happens. */
    enum Kind {
        CREATE,
        WRITE,
        TRUNCATE,
        FORCE,
        RENAME,
        DELETE,
        MAKE_DIRECTORY,
        FORCE_DIRECTORY
    }

    static DiskChange of(Kind kind, Path path) {
        return new DiskChange(kind, path, null, null, 0);
    }

    static DiskChange write(Path path, byte[] bytes, long position) {
        return new DiskChange(Kind.WRITE, path, null, bytes, position);
    }

    static DiskChange truncate(Path path, long size) {
        return new DiskChange(Kind.TRUNCATE, path, null, null, size);
    }

    static DiskChange rename(Path from, Path to) {
        return new DiskChange(Kind.RENAME, from, to, null, 0);
    }

    @Override
    public String toString() {
        String what = kind + " " + path.getFileName();
        return bytes == null ? what : what + ", " + bytes.length + " bytes at " + position;
    }
}
