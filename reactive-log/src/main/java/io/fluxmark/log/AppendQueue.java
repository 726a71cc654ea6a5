package io.fluxmark.log;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What waits for the writer thread, bounded in bytes and records; what the writer has taken but not finished counts too.
 * Thread-safe.
 */
final class AppendQueue {

    /** Forces and control commands wait beside the appends, in a small bound of their own. */
    private static final int OTHERS_BOUND = 10_000;

    private static final Duration MIN_RETRY = Duration.ofMillis(1);
    private static final Duration MAX_RETRY = Duration.ofSeconds(5);

    private final long bytesBound;
    private final int recordsBound;

    private List<LogCommand> waiting = new ArrayList<>();

    /** Who wants to know that there is room again. */
    private List<Runnable> forRoom = new ArrayList<>();

    private long bytes;
    /** Of these, what the writer has not taken yet. */
    private long waitingBytes;

    private int records;
    private int others;
    private Duration lastGroup = MIN_RETRY;
    private @Nullable RuntimeException closed;

    AppendQueue(long bytesBound, int recordsBound) {
        this.bytesBound = bytesBound;
        this.recordsBound = recordsBound;
    }

    /**
     * Admits a command as a whole or throws.
     *
     * @throws LogOverloadedException if it does not fit now
     * @throws IllegalArgumentException if it can never fit
     */
    synchronized void add(LogCommand command) {
        if (closed != null) {
            throw closed;
        }
        if (command instanceof AppendRequest append) {
            admit(append);
        } else if (others == OTHERS_BOUND) {
            throw full("one more force", others + " of them", OTHERS_BOUND + " forces");
        } else {
            others++;
        }
        waiting.add(command);
    }

    /**
     * Admits an append as a whole, or has {@code whenRoom} run once there may be room, or nothing is admitted any more.
     *
     * @return null where it is admitted, else why it is not
     * @throws LogOverloadedException if too many wait for room
     * @throws IllegalArgumentException if it can never fit
     */
    synchronized @Nullable LogOverloadedException offer(AppendRequest append, Runnable whenRoom) {
        try {
            add(append);
            return null;
        } catch (LogOverloadedException e) {
            if (forRoom.size() == OTHERS_BOUND) {
                throw e;
            }
            forRoom.add(whenRoom);
            return e;
        }
    }

    /** Admits nothing more but this, the last command; returns who waits for room, and waits in vain. */
    synchronized List<Runnable> close(LogCommand last, RuntimeException reason) {
        closed = reason;
        waiting.add(last);
        others++;
        return takeForRoom();
    }

    private List<Runnable> takeForRoom() {
        List<Runnable> taken = forRoom;
        forRoom = new ArrayList<>();
        return taken;
    }

    /** How many commands the writer has not taken yet. */
    synchronized int waiting() {
        return waiting.size();
    }

    /** The bytes of appends the writer has not taken yet. */
    synchronized long waitingBytes() {
        return waitingBytes;
    }

    synchronized boolean isClosed() {
        return closed != null;
    }

    /** Takes all that waits, in order. */
    synchronized List<LogCommand> takeAll() {
        List<LogCommand> taken = waiting;
        waiting = new ArrayList<>();
        waitingBytes = 0;
        return taken;
    }

    /** Makes room again for what was taken; returns who waits for that. */
    synchronized List<Runnable> release(List<LogCommand> done, Duration took) {
        for (LogCommand command : done) {
            if (command instanceof AppendRequest append) {
                bytes -= append.bytes();
                records -= append.size();
            } else {
                others--;
            }
        }
        lastGroup = took;
        return takeForRoom();
    }

    private void admit(AppendRequest append) {
        if (append.bytes() > bytesBound || append.size() > recordsBound) {
            throw new IllegalArgumentException("a request of " + append.size() + " records and " + append.bytes()
                    + " bytes never fits the append queue (" + bound()
                    + "); split it or raise LogSpec.queueBytes or queueRecords");
        }
        if (append.bytes() > bytesBound - bytes || append.size() > recordsBound - records) {
            throw full(
                    append.size() + " records and " + append.bytes() + " bytes",
                    records + " records and " + bytes + " bytes",
                    bound());
        }
        bytes += append.bytes();
        waitingBytes += append.bytes();
        records += append.size();
    }

    private String bound() {
        return recordsBound + " records, " + bytesBound + " bytes";
    }

    private LogOverloadedException full(String request, String queued, String bound) {
        Duration guess = lastGroup.multipliedBy(2);
        if (guess.compareTo(MIN_RETRY) < 0) {
            guess = MIN_RETRY;
        }
        return new LogOverloadedException(request, queued, bound, guess.compareTo(MAX_RETRY) > 0 ? MAX_RETRY : guess);
    }
}
