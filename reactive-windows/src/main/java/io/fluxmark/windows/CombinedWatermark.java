package io.fluxmark.windows;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;

/**
 * The watermark of several partitions together. It is the smallest over the active ones, where a partition without an
 * event yet holds it at {@link Watermark#NONE} (S25). An idle partition holds nothing back until its next event; from then
 * on it does again, and the watermark stands still until that partition has caught up (S27, S29). When all are idle it is
 * the largest of theirs, in whatever order they became so (S30). A finished partition has no say at all: it never injects
 * the end while others are only idle (S31); the end comes when all are finished. The watermark never steps back (S24).
 *
 * <p>A plain state machine: it knows no clock and no threads.
 */
final class CombinedWatermark {

    /** What a partition is to the others. */
    enum State {
        /** It holds the watermark. */
        ACTIVE(0),
        /** It has been silent for too long, and holds nothing. */
        IDLE(1),
        /** It has ended. */
        FINISHED(2);

        /** As it is committed: never changed. */
        private final int code;

        State(int code) {
            this.code = code;
        }

        /** A partition that had finished is read again after a restart, and finishes again. */
        private static State restored(long code) {
            return code == IDLE.code ? IDLE : ACTIVE;
        }
    }

    private final PartitionWatermark[] partitions;
    private final State[] states;
    private long watermark = Watermark.NONE;

    /** Those of the active partitions: who is above the smallest holds nothing. */
    private final SmallestWatermark active;

    /** @param partitions how many there are; none never makes a watermark */
    CombinedWatermark(int partitions, WatermarkSpec spec) {
        this(Collections.nCopies(partitions, spec));
    }

    /** @param specs by partition, what its watermark is */
    CombinedWatermark(List<WatermarkSpec> specs) {
        int partitions = specs.size();
        this.partitions = new PartitionWatermark[partitions];
        this.states = new State[partitions];
        Arrays.setAll(this.partitions, p -> new PartitionWatermark(specs.get(p)));
        Arrays.fill(states, State.ACTIVE);
        this.active = new SmallestWatermark(partitions);
        for (int p = 0; p < partitions; p++) {
            active.set(p, Watermark.NONE);
        }
    }

    int partitions() {
        return partitions.length;
    }

    PartitionWatermark partition(int p) {
        return partitions[p];
    }

    State state(int p) {
        return states[p];
    }

    /** The watermark of all together. */
    long watermark() {
        return watermark;
    }

    /** Takes an event of partition {@code p}, which is active from here on; false when its generator stepped back. */
    boolean onEvent(int p, long timestamp) {
        PartitionWatermark partition = partitions[p];
        long own = partition.watermark();
        boolean rose = partition.onEvent(timestamp);
        if (states[p] != State.ACTIVE) {
            enter(p, State.ACTIVE);
        } else if (own != partition.watermark()) {
            active.set(p, partition.watermark());
            advanceTo(active.get());
        }
        return rose;
    }

    /** Partition {@code p} holds the watermark again: it has more to give. */
    void activate(int p) {
        enter(p, State.ACTIVE);
    }

    /** Partition {@code p} has been silent for too long. */
    void idle(int p) {
        enter(p, State.IDLE);
    }

    /** Partition {@code p} has ended. */
    void finish(int p) {
        enter(p, State.FINISHED);
    }

    private void enter(int p, State state) {
        if (states[p] != state) {
            states[p] = state;
            note(p);
            combine();
        }
    }

    private void note(int p) {
        active.set(p, states[p] == State.ACTIVE ? partitions[p].watermark() : Watermark.END);
    }

    /** Progress from outside the partitions: from upstream, or from the clock. */
    void advanceTo(long progress) {
        watermark = Watermark.later(watermark, progress);
    }

    private void combine() {
        if (partitions.length == 0) {
            return;
        }
        boolean someIdle = false;
        boolean someActive = false;
        long highestIdle = Watermark.NONE;
        for (int p = 0; p < partitions.length; p++) {
            someActive |= states[p] == State.ACTIVE;
            if (states[p] == State.IDLE) {
                someIdle = true;
                highestIdle = Watermark.later(highestIdle, partitions[p].watermark());
            }
        }
        if (someActive || !someIdle) {
            advanceTo(active.get());
        } else {
            advanceTo(highestIdle);
        }
    }

    /** Whether the watermark can't rise by events before that of partition {@code p} does. */
    boolean isHeldBy(int p) {
        return states[p] == State.ACTIVE && !Watermark.advances(active.get(), partitions[p].watermark());
    }

    /** Whether every partition is in {@code state}, or has ended. */
    boolean noneBut(State state) {
        for (State each : states) {
            if (each != state && each != State.FINISHED) {
                return false;
            }
        }
        return true;
    }

    /** The largest watermark of a partition that has not ended, {@link Watermark#NONE} without one. */
    long highest() {
        long highest = Watermark.NONE;
        for (int p = 0; p < partitions.length; p++) {
            if (states[p] != State.FINISHED) {
                highest = Watermark.later(highest, partitions[p].watermark());
            }
        }
        return highest;
    }

    /** The largest timestamp of any partition, {@link Long#MIN_VALUE} before the first event. */
    long maximum() {
        long maximum = Long.MIN_VALUE;
        for (PartitionWatermark partition : partitions) {
            maximum = Math.max(maximum, partition.maximum());
        }
        return maximum;
    }

    /** Everything, for {@link #restore}. */
    long[] state() {
        long[] all = {watermark, partitions.length};
        for (int p = 0; p < partitions.length; p++) {
            long[] own = partitions[p].state();
            int at = all.length;
            all = Arrays.copyOf(all, at + 2 + own.length);
            all[at] = states[p].code;
            all[at + 1] = own.length;
            System.arraycopy(own, 0, all, at + 2, own.length);
        }
        return all;
    }

    /** Goes on from an earlier state, which may be one of fewer partitions: the others begin (S26). */
    void restore(long[] state) {
        if (state[1] > partitions.length) {
            throw new IllegalStateException("the state is of " + state[1] + " partitions, and there are only "
                    + partitions.length + " now: partitions can't be taken away; use the old number, or a new name");
        }
        int at = 2;
        for (int p = 0; p < state[1]; p++) {
            states[p] = State.restored(state[at]);
            int length = (int) state[at + 1];
            partitions[p].restore(Arrays.copyOfRange(state, at + 2, at + 2 + length));
            at += 2 + length;
            note(p);
        }
        watermark = state[0];
        combine();
    }
}
