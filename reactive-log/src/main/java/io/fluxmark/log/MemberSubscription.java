package io.fluxmark.log;

import java.util.Collections;
import java.util.Objects;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * A member as an {@link Assignor} sees it.
 *
 * @param member its name
 * @param topics what it wants to read
 * @param owned what it holds now, or held last; empty for a new one
 */
public record MemberSubscription(String member, SortedSet<String> topics, SortedSet<PartitionId> owned) {

    public MemberSubscription {
        Objects.requireNonNull(member, "member");
        topics = Collections.unmodifiableSortedSet(new TreeSet<>(topics));
        owned = Collections.unmodifiableSortedSet(new TreeSet<>(owned));
    }

    static MemberSubscription of(String member, Set<String> topics, Set<PartitionId> owned) {
        return new MemberSubscription(member, new TreeSet<>(topics), new TreeSet<>(owned));
    }
}
