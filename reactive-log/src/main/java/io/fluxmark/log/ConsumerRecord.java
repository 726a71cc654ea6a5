package io.fluxmark.log;

import reactor.core.publisher.Mono;

/**
 * A record as a member of a group gets it. Thread-safe; it may be acknowledged from any thread, in any order.
 *
 * <p>Of each partition the offset is committed up to which everything is acknowledged, never beyond.
 */
public final class ConsumerRecord {

    private final Lease lease;
    private final Object session;
    private final LogRecord record;
    /** Guarded by the lease. */
    private boolean done;

    ConsumerRecord(Lease lease, Object session, LogRecord record) {
        this.lease = lease;
        this.session = session;
        this.record = record;
    }

    /** Which partition it is of. */
    public PartitionId partition() {
        return lease.id();
    }

    /** Its position in the partition. */
    public long offset() {
        return record.offset();
    }

    /** What was read. */
    public LogRecord record() {
        return record;
    }

    /** The generation in which the member got the partition. */
    public long generation() {
        return lease.generation();
    }

    /**
     * Whether work on it is still of use: false once the partition has been given up, or the subscription that brought it has ended.
     */
    public boolean isOwned() {
        return lease.accepts(this);
    }

    /**
     * Says that it is finished. It is committed with the next commit once all before it are finished too; again is the same as once.
     *
     * @return false if it comes too late and is refused: somebody else gets the record, or this member does again. It is counted
     */
    public boolean acknowledge() {
        return lease.acknowledge(this);
    }

    @Override
    public String toString() {
        return "ConsumerRecord[" + partition() + " at " + offset() + "]";
    }

    /** Completes when its partition has been taken away. */
    Mono<Void> ended() {
        return lease.ended();
    }

    Object session() {
        return session;
    }

    boolean isDone() {
        return done;
    }

    void done() {
        done = true;
    }
}
