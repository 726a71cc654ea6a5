package io.fluxmark.log;

import java.util.Arrays;
import java.util.Collections;
import java.util.Objects;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;

/** Who joins a group, and for what. Immutable: each method returns a changed copy. */
public final class MemberSpec {

    private final SortedSet<String> topics;
    private final @Nullable String instanceId;
    private final Function<Set<PartitionId>, Publisher<?>> onRevoke;

    private MemberSpec(
            SortedSet<String> topics, @Nullable String instanceId, Function<Set<PartitionId>, Publisher<?>> onRevoke) {
        this.topics = topics;
        this.instanceId = instanceId;
        this.onRevoke = onRevoke;
    }

    /**
     * A member that reads some topics.
     *
     * @param topics at least one
     */
    public static MemberSpec topics(String... topics) {
        if (topics.length == 0) {
            throw new IllegalArgumentException("a member needs at least one topic; name it");
        }
        return new MemberSpec(
                Collections.unmodifiableSortedSet(new TreeSet<>(Arrays.asList(topics))),
                null,
                partitions -> Mono.empty());
    }

    /**
     * Makes it a static member: when it leaves, its partitions are kept for {@link GroupSpec#rejoinWithin}, and go to whoever joins
     * under the same name by then, without a rebalance.
     *
     * @param value 1 to 200 of {@code A-Z a-z 0-9 . _ -}
     */
    public MemberSpec instanceId(String value) {
        if (!LogLayout.isTopic(Objects.requireNonNull(value, "instanceId"))) {
            throw new IllegalArgumentException(
                    "instanceId '" + value + "' must be 1 to 200 of A-Z, a-z, 0-9, '.', '_', '-'");
        }
        return new MemberSpec(topics, value, onRevoke);
    }

    /**
     * Is asked to give partitions up, for members that read by themselves: they stop, commit, and then complete what is returned.
     * It is called on {@link GroupSpec#scheduler}. An error counts as done and is logged; who has not completed after {@link
     * GroupSpec#revokeTimeout} is fenced.
     */
    public MemberSpec onRevoke(Function<Set<PartitionId>, Publisher<?>> value) {
        return new MemberSpec(topics, instanceId, Objects.requireNonNull(value, "onRevoke"));
    }

    SortedSet<String> topics() {
        return topics;
    }

    @Nullable
    String instanceId() {
        return instanceId;
    }

    Function<Set<PartitionId>, Publisher<?>> onRevoke() {
        return onRevoke;
    }
}
