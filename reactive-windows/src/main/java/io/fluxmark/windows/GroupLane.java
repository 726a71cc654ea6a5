package io.fluxmark.windows;

import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Scheduler;

/**
 * What the operator of one key group has of its lane: state of its own, and in the place of counters, explanations and outputs
 * beside the stream, who gathers the groups.
 */
final class GroupLane implements LaneContext {

    private final LaneContext parent;
    private final String stage;
    private final StateBackend state;

    /** Said on the group's thread, in the order of barriers, and taken by who gathers: no more than barriers under way. */
    private final Queue<StageTotals.Saved> saved = new ConcurrentLinkedQueue<>();

    private LiveCounters counters = new LiveCounters();
    private @Nullable LiveExplanation explanation;
    private Consumer<Object> aside = value -> {
        throw new IllegalStateException("the operator takes nothing aside");
    };

    /**
     * @param stage the name of the stage that is split
     * @param state of the thread that the group is worked on
     */
    GroupLane(LaneContext parent, String stage, StateBackend state) {
        this.parent = parent;
        this.stage = stage;
        this.state = state;
    }

    /** The name of an operator's state in one group, from 0. */
    static String name(String stage, int group) {
        return stage + "@" + group;
    }

    LaneContext parent() {
        return parent;
    }

    String stage() {
        return stage;
    }

    /** The operator puts what goes to outputs beside the stream into its own, in order. */
    void asideTo(Consumer<Object> output) {
        aside = output;
    }

    /** A late output that is in the stream until it is gathered. */
    static <T> LateSink<T> lateAside() {
        return new LateSink<>() {
            @Override
            public LateSink.Output<T> open(LaneContext lane) {
                GroupLane group = (GroupLane) lane;
                return late -> group.aside.accept(late);
            }
        };
    }

    /** The same of failures. */
    static FailureSink failuresAside() {
        return new FailureSink() {
            @Override
            public FailureSink.Output open(LaneContext lane) {
                GroupLane group = (GroupLane) lane;
                return failure -> group.aside.accept(failure);
            }
        };
    }

    void saved(StageTotals.Saved totals) {
        saved.add(totals);
    }

    /** What the group has said at the next barrier. */
    StageTotals.Saved takeSaved() {
        return Objects.requireNonNull(saved.poll(), "saved");
    }

    LiveCounters counters() {
        return counters;
    }

    LiveExplanation explanation() {
        return Objects.requireNonNull(explanation, "explanation");
    }

    @Override
    public StateBackend state() {
        return state;
    }

    @Override
    public Scheduler clock() {
        return parent.clock();
    }

    @Override
    public void counters(String operator, LiveCounters live) {
        counters = live;
    }

    @Override
    public void explanation(LiveExplanation live) {
        explanation = live;
    }

    @Override
    public List<Integer> partitions() {
        return parent.partitions();
    }

    @Override
    public long lag(int partition) {
        return parent.lag(partition);
    }

    @Override
    public void checkKey(Object key) {
        parent.checkKey(key);
    }

    @Override
    public LaneContext unwrap() {
        return parent.unwrap();
    }
}
