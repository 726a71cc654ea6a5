package io.fluxmark.log;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Scheduler;
import reactor.util.Logger;
import reactor.util.Loggers;

/**
 * Who holds which partition of a group.
 *
 * <p>A division of the partitions is made whenever members change; then leases are made to follow it: what is held by somebody else is
 * revoked, what is free is given out. Eager groups first take everything and divide only then. A partition has one lease at a
 * time, and none begins before the one before it has committed. All of this happens in tasks, one after the other.
 */
final class GroupCoordinator implements Lease.Owner {

    private static final Logger LOG = Loggers.getLogger(GroupCoordinator.class);
    private static final long RETRY_MILLIS = 1_000;

    private final String name;
    private final GroupSpec spec;
    private final Scheduler clock;
    private final Function<String, Topic> topics;
    private final OffsetCommits commits;
    private final SerialTasks tasks;
    private final GroupTarget target;
    private final GroupCounters counters = new GroupCounters();
    private final SortedMap<String, Member> members = new TreeMap<>();
    /** Read by others when the log is closed. */
    private final Map<PartitionId, Lease> leases = new ConcurrentHashMap<>();

    private final GroupStarts starts;
    private final AtomicBoolean commitDue = new AtomicBoolean();
    private long generation;
    private long joined;
    private boolean dividing;
    private @Nullable RuntimeException closed;

    GroupCoordinator(
            String name,
            GroupSpec spec,
            Scheduler clock,
            Function<String, Topic> topics,
            OffsetCommits commits,
            SerialTasks tasks) {
        this.name = name;
        this.spec = spec;
        this.clock = clock;
        this.topics = topics;
        this.commits = commits;
        this.tasks = tasks;
        this.target = new GroupTarget(name, spec.assignor(), topics, counters);
        this.starts = new GroupStarts(this, topics, commits);
    }

    String name() {
        return name;
    }

    GroupSpec spec() {
        return spec;
    }

    Scheduler clock() {
        return clock;
    }

    SerialTasks tasks() {
        return tasks;
    }

    GroupCounters counters() {
        return counters;
    }

    Collection<Member> members() {
        return members.values();
    }

    long generation() {
        return Math.max(generation, commits.generation());
    }

    @Nullable
    Lease lease(PartitionId partition) {
        return leases.get(partition);
    }

    /** Runs users' code. */
    void hop(Runnable signal) {
        try {
            spec.scheduler().schedule(signal);
        } catch (RejectedExecutionException e) {
            signal.run();
        }
    }

    /**
     * A new member, or a static one that is back.
     *
     * @throws RuntimeException if it may not join
     */
    Member join(MemberSpec wanted) {
        requireOpen();
        int partitions = wanted.topics().stream()
                        .mapToInt(topic -> topics.apply(topic).partitionCount())
                        .sum()
                + target.partitionsBeside(wanted.topics());
        if (partitions > spec.maxPartitions()) {
            throw new IllegalStateException("group " + name + " would have " + partitions + " partitions and may have "
                    + spec.maxPartitions() + "; raise GroupSpec.maxPartitions");
        }
        starts.require(wanted.topics());
        String instance = wanted.instanceId();
        Member before = instance == null ? null : members.get(instance);
        if (before != null && before.isPresent()) {
            throw new IllegalStateException("group " + name + " has a member " + instance
                    + " already; have it leave first, or use another instanceId");
        }
        if (before == null && members.size() >= spec.maxMembers()) {
            throw new IllegalStateException("group " + name + " has " + members.size()
                    + " members, as many as it may have; raise GroupSpec.maxMembers");
        }
        Member member = new Member(instance == null ? newId() : instance, wanted);
        members.put(member.id(), member);
        if (before == null) {
            rebalance();
        } else {
            before.stopWaiting();
            if (before.spec().topics().equals(wanted.topics())) {
                follow();
            } else {
                rebalance();
            }
        }
        return member;
    }

    /** Gives everything up in order; {@code done} is run in a task. */
    void leave(Member member, Runnable done) {
        if (member.isGone()) {
            done.run();
            return;
        }
        boolean again = !member.isPresent();
        member.leave(done);
        if (again) {
            return;
        }
        if (member.spec().instanceId() == null) {
            members.remove(member.id());
            rebalance();
        } else {
            member.waitFor(clock.schedule(
                    () -> tasks.run(() -> giveUpWaiting(member)),
                    spec.rejoinWithin().toNanos(),
                    TimeUnit.NANOSECONDS));
            follow();
        }
        endIfIdle(member);
    }

    private void giveUpWaiting(Member member) {
        if (members.remove(member.id(), member)) {
            rebalance();
        }
    }

    /** The member does not give up what was revoked. */
    void fence(Member member) {
        counters.fencedMembers.increment();
        expel(member, new MemberFencedException(name, member.id(), spec.revokeTimeout()));
    }

    private void expel(Member member, RuntimeException why) {
        if (member.isGone()) {
            return;
        }
        LOG.warn("{}", why.getMessage());
        members.remove(member.id(), member);
        member.stopWaiting();
        List<Lease> held = member.leases().values().stream()
                .filter(lease -> !lease.isEnded())
                .toList();
        member.end(why).forEach(Runnable::run);
        release(held);
        rebalance();
    }

    private void rebalance() {
        if (closed != null) {
            return;
        }
        counters.rebalances.increment();
        if (spec.protocol() == RebalanceProtocol.EAGER) {
            dividing = true;
        } else {
            target.compute(members.values());
        }
        follow();
    }

    /** Makes the leases follow the division, as far as that is possible now. */
    void follow() {
        if (closed != null) {
            return;
        }
        revoke(lease -> dividing || !isRightful(lease));
        if (dividing && leases.isEmpty()) {
            dividing = false;
            target.compute(members.values());
        }
        List<Lease> given = dividing ? List.of() : giveOut();
        List<Member> toTell = members.values().stream().filter(Member::isNews).toList();
        if (!toTell.isEmpty() && given.isEmpty()) {
            generation = generation() + 1;
        }
        toTell.forEach(member -> member.publish(generation));
        for (Lease lease : given) {
            RecordsSubscription records = lease.member().records();
            if (records != null) {
                begin(lease, records);
            }
        }
    }

    private boolean isRightful(Lease lease) {
        Member member = lease.member();
        return member.isPresent()
                && member.id().equals(target.ownerOf(lease.id()))
                && members.get(member.id()) == member;
    }

    private void revoke(Predicate<Lease> which) {
        Map<Member, List<Lease>> byMember = new HashMap<>();
        leases.values().stream()
                .filter(Lease::isActive)
                .filter(which)
                .sorted(Comparator.comparing(Lease::id))
                .forEach(lease -> byMember.computeIfAbsent(lease.member(), member -> new ArrayList<>())
                        .add(lease));
        byMember.forEach((member, revoked) -> {
            Revocation revocation = new Revocation(this, member, revoked);
            member.revocations().add(revocation);
            revoked.forEach(lease -> tell(GroupEvent.Kind.REVOKED, lease));
            revocation.start();
        });
    }

    private List<Lease> giveOut() {
        List<Lease> given = new ArrayList<>();
        for (Map.Entry<PartitionId, String> each : List.copyOf(target.owners().entrySet())) {
            PartitionId id = each.getKey();
            Member member = members.get(each.getValue());
            if (member == null || !member.isPresent() || leases.containsKey(id)) {
                continue;
            }
            Partition partition = partition(id);
            if (partition == null) {
                continue;
            }
            Long start = starts.in(id, partition, failure -> expel(member, failure));
            if (start != null) {
                if (given.isEmpty()) {
                    generation = generation() + 1;
                }
                Lease lease = new Lease(partition, member, generation, start, this);
                leases.put(id, lease);
                member.leases().put(id, lease);
                given.add(lease);
                tell(GroupEvent.Kind.ASSIGNED, lease);
            }
        }
        return given;
    }

    /** Null if the log does not have it, or not any more. */
    @Nullable
    Partition partition(PartitionId id) {
        try {
            return topics.apply(id.topic()).partition(id.partition());
        } catch (UnknownTopicException | IllegalArgumentException e) {
            return null;
        }
    }

    /** Commits where leases ended, and frees the partitions. */
    void release(List<Lease> ended) {
        Map<PartitionId, Long> offsets = new HashMap<>();
        for (Lease lease : ended) {
            lease.end();
            offsets.put(lease.id(), lease.frontier());
            hop(lease::announceEnd);
        }
        commits.commit(offsets, generation, error -> {
            if (error != null) {
                counters.failedCommits.increment();
                LOG.warn(
                        "group " + name + " cannot commit " + offsets + "; the new owners get some records again",
                        error);
            }
            for (Lease lease : ended) {
                leases.remove(lease.id(), lease);
                lease.member().leases().remove(lease.id(), lease);
                tell(GroupEvent.Kind.RELEASED, lease);
                endIfIdle(lease.member());
            }
            follow();
        });
    }

    private void endIfIdle(Member member) {
        if (!member.isPresent() && member.leases().isEmpty()) {
            member.end(null).forEach(Runnable::run);
        }
    }

    /**
     * Commits what a member says.
     *
     * @param in the generation of the assignment the member goes by
     */
    void commit(Member member, long in, Map<PartitionId, Long> offsets, Consumer<@Nullable Throwable> done) {
        if (closed != null) {
            done.accept(closed);
            return;
        }
        for (Map.Entry<PartitionId, Long> each : offsets.entrySet()) {
            PartitionId id = each.getKey();
            Lease lease = leases.get(id);
            if (lease == null || lease.member() != member || lease.isEnded() || in < lease.generation()) {
                counters.refusedCommits.increment();
                done.accept(new StaleGenerationException(name, member.id(), id, in, generation()));
                return;
            }
            long end = lease.partition().endOffset();
            if (each.getValue() < 0 || each.getValue() > end) {
                done.accept(new IllegalArgumentException("offset " + each.getValue() + " of " + id
                        + " cannot be committed: it must be between 0 and the end, " + end));
                return;
            }
        }
        commits.commit(offsets, in, error -> {
            if (error != null) {
                counters.failedCommits.increment();
            }
            done.accept(error);
        });
    }

    /** A subscriber wants the member's records. */
    void attach(Member member, RecordsSubscription records) {
        if (closed != null || member.isGone()) {
            records.end(closed == null ? member.failure() : closed);
            return;
        }
        RecordsSubscription before = member.records();
        if (before != null && before.isCancelled()) {
            // A retry subscribes again from within the signal that cancelled.
            detach(member, before);
        }
        if (member.records() != null) {
            records.end(new IllegalStateException("member " + member.id() + " of group " + name
                    + " is being read by another subscriber; join once for each"));
        } else {
            member.records(records);
            member.leases().values().stream().filter(Lease::isActive).forEach(lease -> begin(lease, records));
        }
    }

    void detach(Member member, RecordsSubscription records) {
        if (member.records() == records) {
            member.records(null);
            for (Lease lease : List.copyOf(member.leases().values())) {
                Runnable quiet = lease.endSession();
                if (quiet != null) {
                    quiet.run();
                }
            }
            commitAdvanced();
        }
    }

    private void begin(Lease lease, RecordsSubscription records) {
        Long committed = commits.committed(lease.id());
        records.add(lease, lease.beginSession(committed == null ? 0 : committed, records::drain));
    }

    /** Retention was faster than the member. */
    void outOfRange(Member member, RecordsSubscription records, Lease lease, OffsetOutOfRangeException gone) {
        if (!lease.isActive() || member.records() != records) {
            return;
        }
        if (spec.start() == OffsetPolicy.FAIL) {
            expel(member, new NoCommittedOffsetException(name, lease.id(), String.valueOf(gone.getMessage())));
            return;
        }
        long start = spec.start() == OffsetPolicy.LATEST
                ? lease.partition().endOffset()
                : lease.partition().beginOffset();
        starts.countReset(gone.requested(), start);
        lease.moveTo(start);
        records.restart(lease, start);
    }

    @Override
    public void advanced() {
        if (commitDue.compareAndSet(false, true)) {
            if (spec.commitInterval().isZero()) {
                tasks.run(this::commitAdvanced);
            } else {
                after(spec.commitInterval().toNanos(), this::commitAdvanced);
            }
        }
    }

    @Override
    public void refused() {
        counters.refusedAcknowledgements.increment();
    }

    @Override
    public void first(Lease lease) {
        long now = clock.now(TimeUnit.NANOSECONDS);
        tasks.run(() -> tell(GroupEvent.Kind.FIRST_RECORD, lease, now));
    }

    /** Where leases stand that got further than what is committed. */
    private Map<PartitionId, Long> advancedOffsets() {
        Map<PartitionId, Long> offsets = new HashMap<>();
        leases.forEach((id, lease) -> {
            Long committed = commits.committed(id);
            if (!lease.isEnded() && committed != null && lease.frontier() > committed) {
                offsets.put(id, lease.frontier());
            }
        });
        return offsets;
    }

    /** The same of all that is to be committed before nothing is any more. */
    GroupOffsets lastOffsets() {
        return new GroupOffsets(name, generation(), new TreeMap<>(advancedOffsets()));
    }

    private void commitAdvanced() {
        commitDue.set(false);
        Map<PartitionId, Long> offsets = advancedOffsets();
        if (closed == null && !offsets.isEmpty()) {
            commits.commit(offsets, generation, error -> {
                if (error != null) {
                    counters.failedCommits.increment();
                    retry("group " + name + " cannot commit " + offsets, error, this::commitAdvanced);
                }
            });
        }
    }

    /** Ends all members; nothing is committed any more. */
    void close(RuntimeException why) {
        closed = why;
        for (Member member : List.copyOf(members.values())) {
            member.stopWaiting();
            member.end(why).forEach(Runnable::run);
            member.leases().values().forEach(lease -> {
                lease.end();
                hop(lease::announceEnd);
            });
        }
        members.clear();
    }

    private void requireOpen() {
        if (closed != null) {
            throw closed;
        }
    }

    private String newId() {
        String id;
        do {
            joined++;
            id = "member-" + joined;
        } while (members.containsKey(id));
        return id;
    }

    void retry(String what, Throwable error, Runnable action) {
        LOG.warn(what + "; it is tried again in " + RETRY_MILLIS + " ms", error);
        after(TimeUnit.MILLISECONDS.toNanos(RETRY_MILLIS), action);
    }

    private void after(long nanos, Runnable action) {
        try {
            clock.schedule(() -> tasks.run(action), nanos, TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            LOG.warn("the clock of group " + name + " has been stopped", e);
        }
    }

    private void tell(GroupEvent.Kind kind, Lease lease) {
        tell(kind, lease, clock.now(TimeUnit.NANOSECONDS));
    }

    private void tell(GroupEvent.Kind kind, Lease lease, long now) {
        try {
            spec.listener().accept(new GroupEvent(kind, lease.member().id(), lease.id(), lease.generation(), now));
        } catch (RuntimeException e) {
            LOG.error("the listener of group " + name + " failed", e);
        }
    }
}
