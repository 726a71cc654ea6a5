package io.fluxmark.test;

import io.fluxmark.windows.JoinInterval;
import io.fluxmark.windows.JoinKind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a lane over partitions of two topics makes of its records, by plain loops: read next is the lowest time of those that come
 * next, of equal ones that of the first partition, those of the left topic before those of the right one; what can't be decoded
 * comes at once. The watermark is the smallest over all partitions (S25), and an event is late at or before it (S44).
 */
final class JoinOracle {

    /** What holds after so many records. */
    record State(List<Long> offsets, long watermark, long accepted, long late, long rejected, List<String> joined) {}

    private final PlainJoin<String, JoinTick, JoinTick> join;
    private final List<List<@Nullable JoinTick>> partitions;
    private final int lefts;
    private final long[] delays;
    private final List<Integer> order = new ArrayList<>();

    /** @param lefts how many of the partitions are of the left topic */
    JoinOracle(
            JoinInterval interval,
            JoinKind kind,
            List<List<@Nullable JoinTick>> partitions,
            int lefts,
            long leftDelay,
            long rightDelay) {
        this.join = PlainJoin.of(interval, kind, JoinTick::key, JoinTick::time, JoinTick::key, JoinTick::time);
        this.partitions = partitions;
        this.lefts = lefts;
        this.delays = new long[partitions.size()];
        Arrays.setAll(delays, p -> p < lefts ? leftDelay : rightDelay);
        int[] next = new int[partitions.size()];
        for (int p = lowest(next); p >= 0; p = lowest(next)) {
            next[p]++;
            order.add(p);
        }
    }

    private int lowest(int[] next) {
        int lowest = -1;
        long at = 0;
        for (int p = 0; p < next.length; p++) {
            if (next[p] < partitions.get(p).size()) {
                JoinTick head = partitions.get(p).get(next[p]);
                long own = head == null ? Long.MIN_VALUE : head.time();
                if (lowest < 0 || own < at) {
                    lowest = p;
                    at = own;
                }
            }
        }
        return lowest;
    }

    /** How many records there are. */
    int records() {
        return order.size();
    }

    /** After so many of them, and, where {@code ended}, the end of the stream. */
    State after(int records, boolean ended) {
        Long[] offsets = Collections.nCopies(delays.length, 0L).toArray(Long[]::new);
        long[] own = new long[delays.length];
        Arrays.fill(own, Long.MIN_VALUE);
        long watermark = Long.MIN_VALUE;
        long rejected = 0;
        long late = 0;
        List<JoinTick> left = new ArrayList<>();
        List<JoinTick> right = new ArrayList<>();
        for (int p : order.subList(0, records)) {
            JoinTick tick = partitions.get(p).get(Math.toIntExact(offsets[p]));
            offsets[p]++;
            if (tick == null) {
                rejected++;
                continue;
            }
            if (tick.time() <= watermark) {
                late++;
            } else {
                (p < lefts ? left : right).add(tick);
            }
            own[p] = Math.max(own[p], tick.time() - delays[p] - 1);
            watermark = Math.max(watermark, Arrays.stream(own).min().orElseThrow());
        }
        watermark = ended ? Long.MAX_VALUE : watermark;
        List<String> joined = new ArrayList<>(join.<String>join(left, right, watermark, JoinTick::pair));
        Collections.sort(joined);
        return new State(List.of(offsets), watermark, left.size() + right.size(), late, rejected, joined);
    }
}
