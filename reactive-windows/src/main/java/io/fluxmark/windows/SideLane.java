package io.fluxmark.windows;

import java.util.List;
import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Scheduler;

/** A lane as one of two streams that are joined sees it: what its operators keep has names of its own. */
record SideLane(LaneContext lane, String side) implements LaneContext {

    @Override
    public StateBackend state() {
        StateBackend state = lane.state();
        return new StateBackend() {
            @Override
            public <K, A> PaneStore<K, A> panes(
                    String operator, KeyCodec<K> keys, @Nullable Codec<A> accumulators, @Nullable Codec<?> emitted) {
                return state.panes(named(operator), keys, accumulators, emitted);
            }

            @Override
            public <K, A> PaneStore<K, A> panes(
                    String operator,
                    StateHeader header,
                    KeyCodec<K> keys,
                    @Nullable Codec<A> accumulators,
                    @Nullable Codec<?> emitted) {
                return state.panes(named(operator), header, keys, accumulators, emitted);
            }

            @Override
            public long @Nullable [] longs(String operator, String name) {
                return state.longs(named(operator), name);
            }
        };
    }

    private String named(String operator) {
        return side + "/" + operator;
    }

    @Override
    public Scheduler clock() {
        return lane.clock();
    }

    @Override
    public void counters(String operator, LiveCounters counters) {
        lane.counters(named(operator), counters);
    }

    @Override
    public void explanation(LiveExplanation live) {
        lane.explanation(live);
    }

    @Override
    public List<Integer> partitions() {
        return lane.partitions();
    }

    @Override
    public void checkKey(Object key) {
        lane.checkKey(key);
    }
}
