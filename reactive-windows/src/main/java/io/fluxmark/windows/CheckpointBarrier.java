package io.fluxmark.windows;

import java.util.List;

/**
 * The line between what is in a checkpoint and what is not. The barrier is the transaction: it carries the positions
 * of the sources, each stateful operator adds its changed entries as the barrier passes, the sink adds its rows and
 * hands the whole to the store. Barriers are never conflated, dropped or overtaken.
 *
 * @param transaction collects what belongs to the checkpoint; confined to the lane
 * @param positions for every source partition of the lane the next offset to read
 * @param last whether the stream ends behind this barrier because it is finished, not merely stopped
 */
public record CheckpointBarrier<T>(StateTransaction transaction, List<SourcePosition> positions, boolean last)
        implements StreamElement<T> {

    /** Copies {@code positions}. */
    public CheckpointBarrier {
        positions = List.copyOf(positions);
    }
}
