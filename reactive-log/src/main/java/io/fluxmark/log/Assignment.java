package io.fluxmark.log;

import java.util.Collections;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * What a member of a group has from now on. Of two assignments of a group the later one has the larger generation.
 *
 * @param generation rises with every change in the group
 * @param partitions what the member holds, all of it, in order; empty if nothing
 */
public record Assignment(long generation, SortedSet<PartitionId> partitions) {

    public Assignment {
        partitions = Collections.unmodifiableSortedSet(new TreeSet<>(partitions));
    }
}
