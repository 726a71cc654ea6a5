package io.fluxmark.log;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;

/**
 * A member of a {@link ConsumerGroup}. It stays one until it leaves, is fenced or the log is closed: however long a record takes, and
 * also while nobody reads. Thread-safe.
 */
public final class GroupMember {

    private final GroupCoordinator group;
    private final Member member;

    GroupMember(GroupCoordinator group, Member member) {
        this.group = group;
        this.member = member;
    }

    /** Its name in the group. */
    public String id() {
        return member.id();
    }

    /** What it holds now; nothing before the first assignment and after the last. */
    public Assignment assignment() {
        return member.current();
    }

    /**
     * What it holds now, and then whenever that changes, on {@link GroupSpec#scheduler}. To a subscriber that is slow only the newest
     * is shown.
     *
     * @return completes when the member has left; errors with {@link MemberFencedException}, {@link NoCommittedOffsetException}, {@link
     *     LogClosedException}
     */
    public Flux<Assignment> assignments() {
        return member.assignments(group.spec().scheduler());
    }

    /**
     * The records of all partitions it holds, as they come and go: those of a partition in order, of several in turn. Nothing is read
     * beyond what is requested and {@link GroupSpec#prefetch} for each partition. Each record is to be {@linkplain
     * ConsumerRecord#acknowledge acknowledged}; of a partition no more than {@link GroupSpec#maxUnacknowledged} go out before.
     *
     * <p>One subscriber at a time. When it ends, what it has not acknowledged is refused from then on, and the next one begins with it:
     * {@code retry()} gets the records again that were not finished. Emitted on {@link LogSpec#readScheduler}, or where it is
     * requested or acknowledged.
     *
     * @return completes when the member has left. Errors as {@link #assignments}, with {@link CorruptSegmentException} and {@link
     *     java.io.UncheckedIOException}, where the member keeps its partitions, and with {@link IllegalStateException} for a second
     *     subscriber
     */
    public Flux<ConsumerRecord> records() {
        return FluxMemberRecords.create(group, member, group.spec().maxUnacknowledged());
    }

    /** Consumes with {@link ConsumeSpec#defaults()}. */
    public Mono<Void> consume(Function<ConsumerRecord, ? extends Publisher<?>> handler) {
        return consume(handler, ConsumeSpec.defaults());
    }

    /**
     * Hands every record to a handler and acknowledges it when what that returns completes. Handlers of one partition run one
     * after the other unless the spec says otherwise, of several partitions beside each other. They are called where {@link #records}
     * emits: one that blocks belongs on a scheduler of its own. Work on partitions that are taken without waiting is cancelled.
     *
     * @return completes when the member has left. Errors with what a handler failed with, {@link RecordTimeoutException}, and as {@link
     *     #records}; the offset of the record is kept, and the member keeps its partitions: subscribe again, or leave
     */
    public Mono<Void> consume(Function<ConsumerRecord, ? extends Publisher<?>> handler, ConsumeSpec spec) {
        Objects.requireNonNull(handler, "handler");
        int limit = Math.min(spec.concurrency(), group.spec().maxUnacknowledged());
        RecordHandling handling = new RecordHandling(handler, spec, group.clock());
        // Not more are in hand than the limit allows for each partition.
        return FluxMemberRecords.create(group, member, limit)
                .flatMap(handling::handle, Integer.MAX_VALUE, 1)
                .then();
    }

    /** Commits one partition; see {@link #commit(long, Map)}. */
    public Mono<Void> commit(long generation, PartitionId partition, long offset) {
        return commit(generation, Map.of(partition, offset));
    }

    /**
     * Commits offsets of partitions this member holds, for members that read by themselves: all of them or none. An offset below the
     * committed one changes nothing.
     *
     * @param generation of the assignment the member goes by
     * @param offsets of each partition the first one that is not finished
     * @return completes when they survive a power cut. Errors, with nothing committed: {@link StaleGenerationException} if one of the
     *     partitions was given up, be it to get it again; {@link IllegalArgumentException} for an offset the partition does not
     *     reach; {@link LogClosedException}. With what the store fails with they may be committed or not
     */
    public Mono<Void> commit(long generation, Map<PartitionId, Long> offsets) {
        Map<PartitionId, Long> copy = Map.copyOf(offsets);
        return Mono.create(sink -> group.tasks()
                .run(() -> group.commit(
                        member,
                        generation,
                        copy,
                        error -> group.hop(() -> {
                            if (error == null) {
                                sink.success();
                            } else {
                                sink.error(error);
                            }
                        }))));
    }

    /** Hands out nothing more of these partitions until they are resumed, or moved: who gets a partition begins unpaused. */
    public void pause(PartitionId... partitions) {
        setPaused(true, partitions);
    }

    /** Goes on with these partitions. */
    public void resume(PartitionId... partitions) {
        setPaused(false, partitions);
    }

    /** Which of the partitions it holds are paused. */
    public SortedSet<PartitionId> paused() {
        SortedSet<PartitionId> paused = new TreeSet<>();
        for (PartitionId id : assignment().partitions()) {
            Lease lease = group.lease(id);
            if (lease != null && lease.member() == member && lease.isPaused()) {
                paused.add(id);
            }
        }
        return paused;
    }

    /**
     * Leaves: finishes what is in flight, commits, and gives everything up. A static member's partitions are kept for it. Leaving again
     * waits for the same.
     *
     * @return completes when the partitions are free, after {@link GroupSpec#revokeTimeout} at the latest
     */
    public Mono<Void> leave() {
        return Mono.create(
                (MonoSink<Void> sink) -> group.tasks().run(() -> group.leave(member, () -> group.hop(sink::success))));
    }

    @Override
    public String toString() {
        return "GroupMember[" + id() + " of " + group.name() + ", " + assignment() + "]";
    }

    private void setPaused(boolean value, PartitionId... partitions) {
        List<PartitionId> all = Arrays.asList(partitions);
        for (PartitionId id : all) {
            Lease lease = group.lease(id);
            if (lease == null || lease.member() != member) {
                throw new IllegalArgumentException("member " + id() + " does not hold " + id + ", only "
                        + assignment().partitions());
            }
        }
        all.forEach(id -> {
            Lease lease = group.lease(id);
            if (lease != null && lease.member() == member) {
                lease.pause(value);
            }
        });
    }
}
