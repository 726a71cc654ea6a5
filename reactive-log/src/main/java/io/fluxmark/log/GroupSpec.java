package io.fluxmark.log;

import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** How a group of consumers works. Immutable: each method returns a changed copy. */
public final class GroupSpec {

    private static final int MAX_MEMBERS = 10_000;
    private static final int MAX_UNACKNOWLEDGED = 1 << 20;
    private static final GroupSpec DEFAULTS = new GroupSpec(new Builder());

    private final Builder values;

    private GroupSpec(Builder values) {
        this.values = values;
    }

    /**
     * Cooperative-sticky; begins at the earliest record; acknowledged offsets are committed every second; on a revocation
     * what is in flight is finished, for 30 seconds at most; a static member is waited for 30 seconds; at most 1,000 members, 10,000
     * partitions, 1,000 unacknowledged and 64 prefetched records for each partition; offsets in a file of the log; signals on
     * {@link Schedulers#parallel()}.
     */
    public static GroupSpec defaults() {
        return DEFAULTS;
    }

    /** How one assignment follows the other. */
    public GroupSpec protocol(RebalanceProtocol value) {
        Builder copy = new Builder(values);
        copy.protocol = Objects.requireNonNull(value, "protocol");
        return new GroupSpec(copy);
    }

    /** Who gets what. */
    public GroupSpec assignor(Assignor value) {
        Builder copy = new Builder(values);
        copy.assignor = Objects.requireNonNull(value, "assignor");
        return new GroupSpec(copy);
    }

    /** Where to begin without a committed offset, or with one that the partition no longer has. */
    public GroupSpec start(OffsetPolicy value) {
        Builder copy = new Builder(values);
        copy.start = Objects.requireNonNull(value, "start");
        return new GroupSpec(copy);
    }

    /**
     * How long an acknowledged offset may wait to be committed with others. What is revoked or given up is committed at once.
     *
     * @param value 0, at once, to 36,500 days
     */
    public GroupSpec commitInterval(Duration value) {
        Builder copy = new Builder(values);
        copy.commitInterval = Limits.within("commitInterval", value, Duration.ZERO, Limits.LONGEST);
        return new GroupSpec(copy);
    }

    /**
     * How long a member may take to finish what it has of partitions that are to move. A member that takes longer is fenced: it is no
     * member any more, and its partitions move. Nothing else limits how long a record may take.
     *
     * @param value 1 millisecond to 36,500 days
     */
    public GroupSpec revokeTimeout(Duration value) {
        Builder copy = new Builder(values);
        copy.revokeTimeout = Limits.within("revokeTimeout", value, Duration.ofMillis(1), Limits.LONGEST);
        return new GroupSpec(copy);
    }

    /**
     * Partitions move without waiting for records in flight: work on them is cancelled, later acknowledgements are refused, and the new
     * owner gets these records again. Nobody is fenced for being slow then.
     */
    public GroupSpec discardInFlight() {
        Builder copy = new Builder(values);
        copy.discardsInFlight = true;
        return new GroupSpec(copy);
    }

    /**
     * How long the partitions of a static member that left are kept for it.
     *
     * @param value 1 millisecond to 36,500 days
     */
    public GroupSpec rejoinWithin(Duration value) {
        Builder copy = new Builder(values);
        copy.rejoinWithin = Limits.within("rejoinWithin", value, Duration.ofMillis(1), Limits.LONGEST);
        return new GroupSpec(copy);
    }

    /**
     * The members there may be at a time, those waited for included.
     *
     * @param value 1 to 10,000
     */
    public GroupSpec maxMembers(int value) {
        Builder copy = new Builder(values);
        copy.maxMembers = (int) Limits.within("maxMembers", value, 1, MAX_MEMBERS);
        return new GroupSpec(copy);
    }

    /**
     * The partitions the topics of all members may have together.
     *
     * @param value at least 1
     */
    public GroupSpec maxPartitions(int value) {
        Builder copy = new Builder(values);
        copy.maxPartitions = (int) Limits.within("maxPartitions", value, 1, Integer.MAX_VALUE);
        return new GroupSpec(copy);
    }

    /**
     * The records of a partition handed out and not yet committable: not acknowledged, or acknowledged behind one that is not. No more
     * are handed out until the lowest of them is acknowledged.
     *
     * @param value 1 to 1,048,576
     */
    public GroupSpec maxUnacknowledged(int value) {
        Builder copy = new Builder(values);
        copy.maxUnacknowledged = (int) Limits.within("maxUnacknowledged", value, 1, MAX_UNACKNOWLEDGED);
        return new GroupSpec(copy);
    }

    /**
     * The records of a partition read before they are asked for. They are dropped when the partition is revoked.
     *
     * @param value 1 to 4,096
     */
    public GroupSpec prefetch(int value) {
        Builder copy = new Builder(values);
        copy.prefetch = (int) Limits.within("prefetch", value, 1, 4_096);
        return new GroupSpec(copy);
    }

    /** Keeps the offsets elsewhere. Ask for the group when the log has been opened: its floor holds from then on. */
    public GroupSpec offsetStore(OffsetStore value) {
        Builder copy = new Builder(values);
        copy.offsetStore = Objects.requireNonNull(value, "offsetStore");
        return new GroupSpec(copy);
    }

    /** Where members are told of assignments and answers come. */
    public GroupSpec scheduler(Scheduler value) {
        Builder copy = new Builder(values);
        copy.scheduler = Objects.requireNonNull(value, "scheduler");
        return new GroupSpec(copy);
    }

    /**
     * Is told what happens, in order, on whatever thread it happens on. It must answer at once and must not wait for the group; what it
     * throws is logged.
     */
    public GroupSpec listener(Consumer<GroupEvent> value) {
        Builder copy = new Builder(values);
        copy.listener = Objects.requireNonNull(value, "listener");
        return new GroupSpec(copy);
    }

    RebalanceProtocol protocol() {
        return values.protocol;
    }

    Assignor assignor() {
        return values.assignor;
    }

    OffsetPolicy start() {
        return values.start;
    }

    Duration commitInterval() {
        return values.commitInterval;
    }

    Duration revokeTimeout() {
        return values.revokeTimeout;
    }

    boolean discardsInFlight() {
        return values.discardsInFlight;
    }

    Duration rejoinWithin() {
        return values.rejoinWithin;
    }

    int maxMembers() {
        return values.maxMembers;
    }

    int maxPartitions() {
        return values.maxPartitions;
    }

    int maxUnacknowledged() {
        return values.maxUnacknowledged;
    }

    int prefetch() {
        return values.prefetch;
    }

    @Nullable
    OffsetStore offsetStore() {
        return values.offsetStore;
    }

    Scheduler scheduler() {
        return values.scheduler;
    }

    Consumer<GroupEvent> listener() {
        return values.listener;
    }

    /** Not changed once a spec has it. */
    private static final class Builder {
        private RebalanceProtocol protocol = RebalanceProtocol.COOPERATIVE;
        private Assignor assignor = Assignor.cooperativeSticky();
        private OffsetPolicy start = OffsetPolicy.EARLIEST;
        private Duration commitInterval = Duration.ofSeconds(1);
        private Duration revokeTimeout = Duration.ofSeconds(30);
        private boolean discardsInFlight;
        private Duration rejoinWithin = Duration.ofSeconds(30);
        private int maxMembers = 1_000;
        private int maxPartitions = 10_000;
        private int maxUnacknowledged = 1_000;
        private int prefetch = 64;
        private @Nullable OffsetStore offsetStore;
        private Scheduler scheduler = Schedulers.parallel();
        private Consumer<GroupEvent> listener = event -> {};

        private Builder() {}

        private Builder(Builder from) {
            protocol = from.protocol;
            assignor = from.assignor;
            start = from.start;
            commitInterval = from.commitInterval;
            revokeTimeout = from.revokeTimeout;
            discardsInFlight = from.discardsInFlight;
            rejoinWithin = from.rejoinWithin;
            maxMembers = from.maxMembers;
            maxPartitions = from.maxPartitions;
            maxUnacknowledged = from.maxUnacknowledged;
            prefetch = from.prefetch;
            offsetStore = from.offsetStore;
            scheduler = from.scheduler;
            listener = from.listener;
        }
    }
}
