package io.fluxmark.test;

import java.nio.file.Path;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** When a disk does something wrong. Guarded by its disk. */
final class FaultPlan {

    private @Nullable DiskFault fault;
    private Predicate<Path> where = path -> true;
    private long pass;
    private long remaining;
    private long injected;
    private long room = Long.MAX_VALUE;

    void arm(DiskFault next, long after, long times, Predicate<Path> files) {
        fault = next;
        where = files;
        pass = after;
        remaining = times;
    }

    void heal() {
        fault = null;
        room = Long.MAX_VALUE;
    }

    void room(long bytes) {
        room = bytes;
    }

    long injected() {
        return injected;
    }

    /** The fault that happens now, or null. */
    @Nullable
    DiskFault next(boolean force, Path path) {
        DiskFault armed = fault;
        if (armed == null || armed.isOfForces() != force || !where.test(path)) {
            return null;
        }
        if (pass > 0) {
            pass--;
            return null;
        }
        if (remaining <= 0) {
            return null;
        }
        remaining--;
        injected++;
        return armed;
    }

    /** How many of {@code growth} more bytes fit. */
    long take(long growth) {
        if (room == Long.MAX_VALUE) {
            return growth;
        }
        long taken = Math.min(growth, room);
        room -= taken;
        if (taken < growth) {
            injected++;
        }
        return taken;
    }
}
