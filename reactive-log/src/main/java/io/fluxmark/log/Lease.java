package io.fluxmark.log;

import java.util.ArrayDeque;
import java.util.Queue;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/**
 * That a member has a partition, for one generation, and what it has of it in hand. Thread-safe; it calls nobody while it holds its
 * lock.
 */
final class Lease {

    /** What is told to the group. */
    interface Owner {
        /** More is finished than before. */
        void advanced();

        /** An acknowledgement came too late. */
        void refused();

        /** The first record goes out. */
        void first(Lease lease);
    }

    private enum State {
        ACTIVE,
        REVOKED,
        ENDED
    }

    private final PartitionId id;
    private final Partition partition;
    private final Member member;
    private final long generation;
    private final Owner owner;
    private final Sinks.Empty<Void> ended = Sinks.empty();
    private final Queue<ConsumerRecord> unfinished = new ArrayDeque<>();
    private State state = State.ACTIVE;
    private Object session = new Object();
    private long position;
    private boolean delivered;
    private @Nullable Runnable whenQuiet;
    private @Nullable Runnable whenRoom;
    private volatile boolean paused;

    Lease(Partition partition, Member member, long generation, long start, Owner owner) {
        this.id = new PartitionId(partition.topic(), partition.id());
        this.partition = partition;
        this.member = member;
        this.generation = generation;
        this.position = start;
        this.owner = owner;
    }

    PartitionId id() {
        return id;
    }

    Partition partition() {
        return partition;
    }

    Member member() {
        return member;
    }

    long generation() {
        return generation;
    }

    /** Completes when it has ended, whatever is in hand then. */
    Mono<Void> ended() {
        return ended.asMono();
    }

    boolean isPaused() {
        return paused;
    }

    void pause(boolean value) {
        paused = value;
        Runnable wake;
        synchronized (this) {
            wake = whenRoom;
        }
        run(wake);
    }

    synchronized boolean isActive() {
        return state == State.ACTIVE;
    }

    synchronized boolean isEnded() {
        return state == State.ENDED;
    }

    /** Whether one more may be handed out. */
    synchronized boolean hasRoom(int limit) {
        return state == State.ACTIVE && !paused && unfinished.size() < limit;
    }

    synchronized int unfinished() {
        return unfinished.size();
    }

    /** The lowest offset that is not finished. */
    synchronized long frontier() {
        ConsumerRecord lowest = unfinished.peek();
        return lowest == null ? position : lowest.offset();
    }

    /**
     * Begins to hand out anew, from the lowest offset that is neither finished nor committed.
     *
     * @param wake is run when there is room again
     * @return where to read from
     */
    long beginSession(long committed, Runnable wake) {
        Runnable quiet = endSession();
        run(quiet);
        synchronized (this) {
            position = Math.max(position, committed);
            whenRoom = wake;
            return position;
        }
    }

    /** What is in hand is no longer waited for, and refused. The result is to be run. */
    @Nullable
    synchronized Runnable endSession() {
        position = frontier();
        unfinished.clear();
        session = new Object();
        whenRoom = null;
        return takeWhenQuiet();
    }

    /** Goes on elsewhere: what was next is not there any more. */
    synchronized void moveTo(long offset) {
        position = offset;
    }

    /** Hands a record out, or answers null if the partition has been given up. */
    @Nullable
    ConsumerRecord begin(LogRecord record) {
        ConsumerRecord begun;
        boolean first;
        synchronized (this) {
            if (state != State.ACTIVE) {
                return null;
            }
            begun = new ConsumerRecord(this, session, record);
            unfinished.add(begun);
            position = record.offset() + 1;
            first = !delivered;
            delivered = true;
        }
        if (first) {
            owner.first(this);
        }
        return begun;
    }

    synchronized boolean accepts(ConsumerRecord record) {
        return state != State.ENDED && record.session() == session;
    }

    boolean acknowledge(ConsumerRecord record) {
        boolean moved = false;
        boolean refused = false;
        Runnable quiet = null;
        Runnable wake;
        synchronized (this) {
            if (!accepts(record)) {
                refused = true;
            } else {
                record.done();
                for (ConsumerRecord lowest = unfinished.peek();
                        lowest != null && lowest.isDone();
                        lowest = unfinished.peek()) {
                    unfinished.remove();
                    moved = true;
                }
                quiet = unfinished.isEmpty() ? takeWhenQuiet() : null;
            }
            wake = moved ? whenRoom : null;
        }
        if (refused) {
            owner.refused();
            return false;
        }
        if (moved) {
            owner.advanced();
        }
        run(quiet);
        run(wake);
        return true;
    }

    /**
     * Hands nothing more out.
     *
     * @param quiet is run once nothing is in hand, maybe now
     */
    void revoke(Runnable quiet) {
        boolean now;
        synchronized (this) {
            if (state == State.ACTIVE) {
                state = State.REVOKED;
            }
            now = unfinished.isEmpty();
            whenQuiet = now ? null : quiet;
        }
        if (now) {
            quiet.run();
        }
    }

    /** Nothing is accepted from now on; where it ends is {@link #frontier()}. */
    synchronized void end() {
        state = State.ENDED;
        whenQuiet = null;
        whenRoom = null;
    }

    /** Tells whoever works on what is in hand; on a thread that may run their code. */
    void announceEnd() {
        ended.tryEmitEmpty();
    }

    private @Nullable Runnable takeWhenQuiet() {
        Runnable taken = whenQuiet;
        whenQuiet = null;
        return taken;
    }

    private static void run(@Nullable Runnable action) {
        if (action != null) {
            action.run();
        }
    }
}
