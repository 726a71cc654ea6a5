package io.fluxmark.windows;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Scheduler;
import reactor.test.scheduler.VirtualTimeScheduler;

/** A lane in virtual time whose longs are kept by its barriers, so that it can be started again from one. */
final class TestLane implements LaneContext {

    final VirtualTimeScheduler clock;
    final Map<String, LiveCounters> counters = new HashMap<>();
    /** What every partition has unread that has no count of its own. */
    long lag = -1;

    final Map<Integer, Long> lags = new HashMap<>();

    private final CountingClock counting;
    private final Map<String, long[]> restored;
    private Map<String, long[]> committed = new HashMap<>();
    private long transactions;

    TestLane() {
        this(VirtualTimeScheduler.create(), Map.of());
    }

    private TestLane(VirtualTimeScheduler clock, Map<String, long[]> restored) {
        this.clock = clock;
        this.counting = new CountingClock(clock);
        this.restored = restored;
    }

    /** A barrier; what operators put into its transaction is what a restarted lane begins with. */
    <T> CheckpointBarrier<T> barrier() {
        Map<String, long[]> longs = new HashMap<>();
        committed = longs;
        long id = ++transactions;
        StateTransaction transaction = new StateTransaction() {
            @Override
            public long id() {
                return id;
            }

            @Override
            public void longs(String operator, String name, long[] values) {
                longs.put(operator + "/" + name, values.clone());
            }
        };
        return new CheckpointBarrier<>(transaction, List.of(), false);
    }

    /** A new lane that goes on from the last barrier, on the same clock. */
    TestLane restarted() {
        return new TestLane(clock, new HashMap<>(committed));
    }

    long[] committed(String operator, String name) {
        return committed.get(operator + "/" + name);
    }

    long count(Counter counter) {
        return counters.values().stream()
                .mapToLong(each -> each.snapshot().get(counter))
                .sum();
    }

    @Override
    public StateBackend state() {
        return new StateBackend() {
            private final StateBackend heap = StateBackend.heap();

            @Override
            public <K, A> PaneStore<K, A> panes(
                    String operator, KeyCodec<K> keys, @Nullable Codec<A> accumulators, @Nullable Codec<?> emitted) {
                return heap.panes(operator, keys, accumulators, emitted);
            }

            @Override
            public long @Nullable [] longs(String operator, String name) {
                return restored.get(operator + "/" + name);
            }
        };
    }

    @Override
    public Scheduler clock() {
        return counting;
    }

    /** How many timers are still to fire. */
    int timers() {
        return counting.pending();
    }

    @Override
    public long lag(int partition) {
        return lags.getOrDefault(partition, lag);
    }

    @Override
    public void counters(String operator, LiveCounters live) {
        counters.put(operator, live);
    }
}
