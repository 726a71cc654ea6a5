package io.fluxmark.log;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeSet;
import java.util.function.Function;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Members that share the partitions of topics, and remember together how far they have come. Each partition is held by one
 * member at a time; the next one begins where the one before it committed. Thread-safe.
 *
 * <p>What the group has not finished is not deleted by retention, for as long as the group exists, with members or without.
 */
public final class ConsumerGroup {

    private final GroupCoordinator coordinator;
    private final OffsetCommits commits;
    private final GroupAdmin admin;

    ConsumerGroup(GroupCoordinator coordinator, OffsetCommits commits, GroupAdmin admin) {
        this.coordinator = coordinator;
        this.commits = commits;
        this.admin = admin;
    }

    /** Its name. */
    public String name() {
        return coordinator.name();
    }

    /** Joins; see {@link #join(MemberSpec)}. */
    public Mono<GroupMember> join(String... topics) {
        return join(MemberSpec.topics(topics));
    }

    /**
     * Joins, anew at each subscription. If it is cancelled before the member is there, the member leaves again. Whoever gets a member
     * has it leave, and so has to be there for it: {@link #consume} and {@link #records} see to that by themselves.
     *
     * @return a member, whose {@link GroupMember#assignments} say what it holds. Errors: {@link UnknownTopicException}, {@link
     *     IllegalStateException} for a static member that is there already, for one member or partition too many, and while the
     *     offsets are being reset; {@link NoCommittedOffsetException}, {@link LogClosedException}, and what the offset store fails
     *     with
     */
    public Mono<GroupMember> join(MemberSpec member) {
        Objects.requireNonNull(member, "member");
        return admin.join(member);
    }

    /**
     * Joins, consumes, and leaves when that ends, however it ends.
     *
     * @return as {@link GroupMember#consume(Function, ConsumeSpec)}; {@code retryWhen} joins again and goes on at the record that failed
     */
    public Mono<Void> consume(
            MemberSpec member, Function<ConsumerRecord, ? extends Publisher<?>> handler, ConsumeSpec spec) {
        return Mono.usingWhen(join(member), joined -> joined.consume(handler, spec), GroupMember::leave);
    }

    /** Joins, emits what {@link GroupMember#records} does, and leaves when that ends, however it ends. */
    public Flux<ConsumerRecord> records(MemberSpec member) {
        return Flux.usingWhen(join(member), GroupMember::records, GroupMember::leave);
    }

    /** Who is in it and how far it has come. */
    public Mono<GroupDescription> describe() {
        return admin.later(this::describeNow);
    }

    /**
     * Puts the offsets of all partitions elsewhere in which the group has one.
     *
     * @return where they are now; errors with {@link GroupActiveException} if there are members, {@link CorruptSegmentException},
     *     and what the offset store fails with
     */
    public Mono<GroupOffsets> reset(GroupReset to) {
        Objects.requireNonNull(to, "to");
        return admin.reset(to, () -> List.copyOf(commits.all().keySet()));
    }

    /**
     * Puts the offsets of all partitions of a topic somewhere, whether the group has any there or not.
     *
     * @return as {@link #reset(GroupReset)}; also errors with {@link UnknownTopicException}
     */
    public Mono<GroupOffsets> reset(String topic, GroupReset to) {
        Objects.requireNonNull(to, "to");
        return admin.reset(to, () -> admin.partitionsOf(topic));
    }

    /** The same for one partition. */
    public Mono<GroupOffsets> reset(PartitionId partition, GroupReset to) {
        Objects.requireNonNull(to, "to");
        return admin.reset(to, () -> admin.partitionsOf(partition.topic()).stream()
                .filter(partition::equals)
                .toList());
    }

    /**
     * Forgets the group and its offsets: retention need not keep anything for it any more. The group can be used again, as a new one.
     *
     * @return errors with {@link GroupActiveException} if there are members, and what the offset store fails with
     */
    public Mono<Void> delete() {
        return admin.delete();
    }

    /** How often the partitions were divided anew since the log was opened. */
    public long rebalances() {
        return coordinator.counters().rebalances.sum();
    }

    /** How many commits were refused because their generation was over. */
    public long refusedCommits() {
        return coordinator.counters().refusedCommits.sum();
    }

    /** How many acknowledgements were refused because the partition, or the subscription, was not the member's any more. */
    public long refusedAcknowledgements() {
        return coordinator.counters().refusedAcknowledgements.sum();
    }

    /** How many commits the offset store failed. */
    public long failedCommits() {
        return coordinator.counters().failedCommits.sum();
    }

    /** How many members were fenced because they had not given up in time what was revoked. */
    public long fencedMembers() {
        return coordinator.counters().fencedMembers.sum();
    }

    /** How often a partition was begun where {@link GroupSpec#start} says. */
    public long startsWithoutOffset() {
        return coordinator.counters().resets.sum();
    }

    /** How many offsets were passed over because they were gone, or because {@link OffsetPolicy#LATEST} says so. */
    public long lostRecords() {
        return coordinator.counters().lostRecords.sum();
    }

    /** How often an assignor threw or gave an answer that cannot be used. */
    public long assignorFailures() {
        return coordinator.counters().assignorFailures.sum();
    }

    @Override
    public String toString() {
        return "ConsumerGroup[" + name() + "]";
    }

    GroupCoordinator coordinator() {
        return coordinator;
    }

    OffsetCommits commits() {
        return commits;
    }

    GroupAdmin admin() {
        return admin;
    }

    private GroupDescription describeNow() {
        List<GroupDescription.Member> members = coordinator.members().stream()
                .map(member -> new GroupDescription.Member(
                        member.id(),
                        member.spec().topics(),
                        new TreeSet<>(member.current().partitions()),
                        member.isPresent()))
                .toList();
        SortedMap<PartitionId, Long> offsets = commits.all();
        List<GroupDescription.Progress> progress = offsets.entrySet().stream()
                .flatMap(each -> progress(each).stream())
                .toList();
        return new GroupDescription(name(), coordinator.generation(), members, progress);
    }

    private Optional<GroupDescription.Progress> progress(Map.Entry<PartitionId, Long> committed) {
        PartitionId id = committed.getKey();
        return Optional.ofNullable(coordinator.partition(id)).map(partition -> {
            Lease lease = coordinator.lease(id);
            return new GroupDescription.Progress(
                    id,
                    committed.getValue(),
                    partition.beginOffset(),
                    partition.endOffset(),
                    Optional.ofNullable(lease).map(held -> held.member().id()),
                    lease == null ? 0 : lease.unfinished());
        });
    }
}
