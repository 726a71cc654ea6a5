package io.fluxmark.sinks;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a job over all partitions makes of them, by a plain loop: read next is the lowest time of those that come next, of equal
 * ones that of the lowest partition; what has no time comes first. The watermark is the smallest over the partitions (S25).
 */
final class MergedOracle {

    /** An event: a key and its time, in a partition. */
    record Tick(int partition, String key, long time) {

        static Tick parse(int partition, String text) {
            int at = text.indexOf('@');
            return new Tick(partition, text.substring(0, at), Long.parseLong(text.substring(at + 1)));
        }

        @Override
        public String toString() {
            return key + "@" + time;
        }
    }

    /**
     * What is known after a number of records.
     *
     * @param offsets the next offset of each partition
     */
    record State(List<Long> offsets, long watermark, long onTime, long refired, long dropped, long rejected) {}

    private final long delay;
    private final long size;
    private final long lateness;
    private final List<Tick> accepted = new ArrayList<>();
    private final List<Tick> order = new ArrayList<>();
    private final List<State> states = new ArrayList<>();

    MergedOracle(long delay, long size, long lateness) {
        this.delay = delay;
        this.size = size;
        this.lateness = lateness;
    }

    /** Runs over whole partitions, null for what can't be decoded. */
    MergedOracle run(List<List<@Nullable Tick>> partitions) {
        int[] next = new int[partitions.size()];
        long[] watermarks = new long[partitions.size()];
        java.util.Arrays.fill(watermarks, Long.MIN_VALUE);
        State state = new State(java.util.Collections.nCopies(next.length, 0L), Long.MIN_VALUE, 0, 0, 0, 0);
        states.add(state);
        for (int p = lowest(partitions, next); p >= 0; p = lowest(partitions, next)) {
            Tick tick = partitions.get(p).get(next[p]++);
            state = after(state, p, tick, watermarks);
            states.add(state);
        }
        return this;
    }

    private static int lowest(List<List<@Nullable Tick>> partitions, int[] next) {
        int lowest = -1;
        long order = 0;
        for (int p = 0; p < next.length; p++) {
            if (next[p] < partitions.get(p).size()) {
                Tick head = partitions.get(p).get(next[p]);
                long own = head == null ? Long.MIN_VALUE : head.time();
                if (lowest < 0 || own < order) {
                    lowest = p;
                    order = own;
                }
            }
        }
        return lowest;
    }

    private State after(State before, int p, @Nullable Tick tick, long[] watermarks) {
        List<Long> offsets = new ArrayList<>(before.offsets());
        offsets.set(p, offsets.get(p) + 1);
        if (tick == null) {
            return new State(
                    offsets,
                    before.watermark(),
                    before.onTime(),
                    before.refired(),
                    before.dropped(),
                    before.rejected() + 1);
        }
        long last = Math.floorDiv(tick.time(), size) * size + size - 1;
        boolean dropped = before.watermark() >= last + lateness;
        boolean onTime = before.watermark() < last;
        order.add(tick);
        if (!dropped) {
            accepted.add(tick);
        }
        watermarks[p] = Math.max(watermarks[p], tick.time() - delay - 1);
        long combined = java.util.Arrays.stream(watermarks).min().orElseThrow();
        return new State(
                offsets,
                Math.max(before.watermark(), combined),
                before.onTime() + (onTime ? 1 : 0),
                before.refired() + (onTime || dropped ? 0 : 1),
                before.dropped() + (dropped ? 1 : 0),
                before.rejected());
    }

    /** What windows take, in the order of reading. */
    List<Tick> accepted() {
        return accepted;
    }

    /** All that could be decoded, in the order of reading. */
    List<Tick> order() {
        return order;
    }

    /** What holds after the first {@code records} of the order of reading. */
    State after(int records) {
        return states.get(records);
    }

    /** How many records there are. */
    int records() {
        return states.size() - 1;
    }
}
