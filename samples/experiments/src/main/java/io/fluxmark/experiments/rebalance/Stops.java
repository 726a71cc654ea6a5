package io.fluxmark.experiments.rebalance;

import java.util.List;

/**
 * What a rebalance stopped.
 *
 * @param pauses of each partition that was taken from a member, from then to the first record of its next owner, in ns
 * @param unmoved of each partition that was not, the longest time between two records during the rebalance, in ns
 * @param twice how often a record was handled that had been handled before
 * @param missing records that were not handled
 * @param refused acknowledgements that came too late
 */
record Stops(List<Long> pauses, List<Long> unmoved, long twice, long missing, long refused) {

    long stopped() {
        return pauses.stream().mapToLong(Long::longValue).sum();
    }
}
