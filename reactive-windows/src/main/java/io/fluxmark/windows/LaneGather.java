package io.fluxmark.windows;

import io.fluxmark.windows.internal.DrainOperator;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.Scannable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Operators;
import reactor.core.scheduler.Scheduler;
import reactor.util.context.Context;

/**
 * Gathers what the key groups of a stage emit into one stream, in the order in which one lane would have emitted it: an item is
 * handed on when every group has either one behind it, or come to the end of the stretch. The watermark goes on when all groups
 * have come there, and so is the smallest of theirs; a barrier does with all their shares of its transaction, the sum of
 * what they have counted, and what was handed on before it to the outputs beside the stream.
 *
 * <p>The groups put what they emit into queues of their own and wake the drain loop; there is no other input.
 *
 * @param <T> the events
 * @param <R> the values
 */
final class LaneGather<T, K, R> extends DrainOperator<StreamElement<R>, StreamElement<R>> {

    private final SplitStage<T, K, R> stage;
    private final LaneContext lane;
    private final LaneSplit<T> split;
    private final List<GroupOutlet<R>> outlets = new ArrayList<>();
    private final List<GroupInlet<T>> inlets = new ArrayList<>();
    private final List<GroupLane> groups = new ArrayList<>();

    /** What the stage has counted before this subscription; since then its groups do. */
    private final LiveCounters counters = new LiveCounters();

    private final LateSink.@Nullable Output<? super T> late;
    private final FailureSink.@Nullable Output failures;

    private final AtomicInteger uncompleted = new AtomicInteger(KeyGroups.COUNT);
    private final AtomicBoolean failed = new AtomicBoolean();

    /** Why the upstream has ended, where it has failed: told when the groups have come to their end. */
    private volatile @Nullable Throwable upstreamError;

    /** The groups that have an item. */
    private final PriorityQueue<GroupOutlet<R>> heads;

    private final EventBatchBuilder<R> run = EventBatch.builder();

    /** The watermark that holds behind what was handed on, and the one that was told. */
    private long watermark;

    private long forwarded = Watermark.NONE;
    private boolean byTimeout;

    /** The control element that the stretch was which all groups have come to the end of. */
    private @Nullable StreamElement<R> control;

    private boolean stopped;

    LaneGather(CoreSubscriber<? super StreamElement<R>> actual, SplitStage<T, K, R> stage, LaneContext lane) {
        super(actual, LaneSplit.PREFETCH);
        this.stage = stage;
        this.lane = lane;
        this.late = stage.late() == null ? null : stage.late().open(lane);
        this.failures = stage.failures() == null ? null : stage.failures().open(lane);
        Parallelism parallelism = stage.parallelism();
        Scheduler scheduler = parallelism.scheduler(lane);
        this.split = new LaneSplit<>(this, new KeyGroups<>(stage.key(), stage.keyCodec()), parallelism, scheduler);
        List<StateBackend> states = new ArrayList<>();
        for (int i = 0; i < parallelism.lanes(); i++) {
            states.add(lane.stateOfLane(i, parallelism.lanes()));
        }
        for (int group = 0; group < KeyGroups.COUNT; group++) {
            SplitLane<T> ofGroup = split.laneOf(group);
            GroupInlet<T> inlet = new GroupInlet<>(ofGroup, split);
            GroupOutlet<R> outlet = new GroupOutlet<>(this, ofGroup);
            ofGroup.add(inlet, outlet);
            inlets.add(inlet);
            outlets.add(outlet);
            groups.add(new GroupLane(lane, stage.name(), states.get(parallelism.laneOf(group))));
        }
        Comparator<K> keys = stage.keyCodec().order();
        this.heads = new PriorityQueue<>(KeyGroups.COUNT, (a, b) -> order(a.item(), b.item(), keys));
        counters.restore(lane.state(), stage.name());
        long[] stored = lane.state().longs(stage.name(), Watermark.STATE_NAME);
        this.watermark = stored == null ? Watermark.NONE : stored[0];
    }

    @SuppressWarnings("unchecked") // a key is one of the stage's
    private static <K> int order(LaneItem a, LaneItem b, Comparator<K> keys) {
        if (a.place() != b.place()) {
            return Long.compare(a.place(), b.place());
        }
        if (a.due() != b.due()) {
            return Long.compare(a.due(), b.due());
        }
        if (a.end() != b.end()) {
            return Long.compare(a.end(), b.end());
        }
        if (a.start() != b.start()) {
            return Long.compare(a.start(), b.start());
        }
        return a.key() == null || b.key() == null ? 0 : keys.compare((K) a.key(), (K) b.key());
    }

    /** What is to be subscribed to the upstream. */
    LaneSplit<T> split() {
        return split;
    }

    /** The upstream is there. */
    void begin() {
        onSubscribe(new Subscription() {

            /** Asked once, in the drain loop: what comes on the spot waits there until all groups are subscribed to. */
            @Override
            public void request(long n) {
                subscribeGroups();
            }

            @Override
            public void cancel() {
                stop();
            }
        });
    }

    private void subscribeGroups() {
        for (int group = 0; group < KeyGroups.COUNT && !isCancelled() && !failed.get(); group++) {
            Flux<StreamElement<R>> chain =
                    stage.chain().of(inlets.get(group), GroupLane.name(stage.name(), group), groups.get(group));
            chain.subscribe(outlets.get(group));
        }
        if (isCancelled() || failed.get()) {
            return;
        }
        groups.forEach(group -> counters.include(group.counters()));
        lane.counters(stage.name(), counters);
        lane.explanation(LiveExplanation.ofAll(
                stage.name(), groups.stream().map(GroupLane::explanation).toList()));
        split.start();
    }

    /** Stops everything before this. Thread-safe. */
    private void stop() {
        split.cancel();
        outlets.forEach(GroupOutlet::cancel);
    }

    /** Groups have emitted something. Thread-safe. */
    void lanesHaveEmitted() {
        wakeUp();
    }

    /** Some part of the stage has failed: the others are cancelled, and the first failure told. Thread-safe. */
    void laneFailed(Throwable failure) {
        if (failed.compareAndSet(false, true)) {
            failUpstream(failure);
        } else {
            Operators.onErrorDropped(failure, currentContext());
        }
    }

    /** There is nothing more to come for the groups. */
    void upstreamEnded(@Nullable Throwable error) {
        upstreamError = error;
    }

    /** A group has come to the end of all. Thread-safe. */
    void groupCompleted() {
        if (uncompleted.decrementAndGet() == 0) {
            Throwable error = upstreamError;
            if (error == null) {
                onComplete();
            } else {
                laneFailed(error);
            }
        }
    }

    @Override
    protected void onInput(StreamElement<R> input) {
        throw new IllegalStateException("what is gathered comes from the groups alone");
    }

    @Override
    protected @Nullable StreamElement<R> poll(boolean starved) {
        for (; ; ) {
            StreamElement<R> ending = control;
            if (ending == null && !run.isFull() && gatherSome()) {
                continue;
            }
            if (run.size() > 0) {
                EventBatch<R> built = run.build(watermark);
                forwarded = watermark;
                return built;
            }
            if (Watermark.advances(forwarded, watermark)) {
                forwarded = watermark;
                return new Watermark<>(watermark, byTimeout);
            }
            control = null;
            return ending;
        }
    }

    /** Hands on the next item, or comes to the end of a stretch; false where some group has to be waited for. */
    private boolean gatherSome() {
        int ended = 0;
        boolean waits = false;
        for (GroupOutlet<R> outlet : outlets) {
            if (outlet.isHead()) {
                continue;
            }
            look(outlet);
            if (outlet.ended() != null) {
                ended++;
            } else {
                waits |= !outlet.isHead();
            }
        }
        if (waits) {
            return false;
        }
        if (ended == KeyGroups.COUNT) {
            endStretch();
            return true;
        }
        while (!run.isFull()) {
            GroupOutlet<R> outlet = heads.poll();
            if (outlet == null) {
                return true;
            }
            handOn(outlet.take());
            look(outlet);
            if (!outlet.isHead() && outlet.ended() == null) {
                return true;
            }
        }
        return true;
    }

    /** Looks for the next item of a group, or for its end; what has no place is handed on at once, while the run has room. */
    private void look(GroupOutlet<R> outlet) {
        while (!run.isFull() && outlet.look() && outlet.ended() == null) {
            if (outlet.item().place() != LaneItem.AT_ONCE) {
                outlet.isHead(true);
                heads.add(outlet);
                return;
            }
            handOn(outlet.take());
        }
    }

    @SuppressWarnings("unchecked") // only values of R are ever emitted, and late events of T
    private void handOn(LaneItem item) {
        if (item.value() instanceof LaneItem.Aside aside) {
            if (aside.value() instanceof FunctionFailure failure) {
                Objects.requireNonNull(failures, "failures").accept(failure.of(stage.name()));
            } else {
                handLate((LateEvent<T>) aside.value());
            }
            return;
        }
        boolean inOrder = item.place() != LaneItem.AT_ONCE;
        watermark = inOrder ? Watermark.later(watermark, item.before()) : watermark;
        run.add((R) item.value(), item.timestamp(), watermark, item.sign());
    }

    @SuppressWarnings("unchecked") // the output takes a supertype of T
    private void handLate(LateEvent<T> event) {
        try {
            ((LateSink.Output<T>) Objects.requireNonNull(late, "late")).accept(event);
        } catch (Throwable t) {
            FailedEvent.addTo(t, event.value());
            throw t;
        }
    }

    private void endStretch() {
        List<LanePart<R>> parts = new ArrayList<>(KeyGroups.COUNT);
        outlets.forEach(outlet -> parts.add(outlet.passEnd()));
        Stretch stretch = parts.get(0).stretch;
        if (Watermark.advances(watermark, stretch.after)) {
            watermark = stretch.after;
            byTimeout = stretch.byTimeout;
        }
        StreamElement<?> ending = stretch.control;
        if (ending == null) {
            return;
        }
        if (ending instanceof CheckpointBarrier<?> barrier) {
            save(barrier.transaction(), parts);
        }
        control = ControlElements.retype(ending);
    }

    private void save(StateTransaction transaction, List<LanePart<R>> parts) {
        // Groups of one lane share a part of the transaction.
        for (int i = 0; i < stage.parallelism().lanes(); i++) {
            transaction.include(
                    Objects.requireNonNull(parts.get(i).barrier, "barrier").transaction());
        }
        StageTotals.Saved totals = groups.get(0).takeSaved();
        for (int group = 1; group < KeyGroups.COUNT; group++) {
            totals = totals.plus(groups.get(group).takeSaved());
        }
        new StageTotals.Saved(totals.watermark(), counters.plus(totals.counters())).save(transaction, stage.name());
        if (late != null) {
            late.flush(transaction);
        }
        if (failures != null) {
            failures.flush(transaction);
        }
    }

    @Override
    protected boolean holdsOutput() {
        return run.size() > 0
                || control != null
                || Watermark.advances(forwarded, watermark)
                || outlets.stream().anyMatch(GroupOutlet::holdsSome);
    }

    @Override
    protected void onPause(boolean demanded, boolean over) {
        if (over) {
            if (!stopped) {
                stopped = true;
                stop(); // workers are let go of, also where all has come to its end
            }
            discardGroups(currentContext()); // what crossed the end on its way
        }
    }

    private void discardGroups(Context context) {
        heads.clear();
        outlets.forEach(outlet -> outlet.discard(context));
    }

    @Override
    protected void discardHeld(Context context) {
        if (run.size() > 0) {
            Operators.onDiscardMultiple(EventBatch.contents(run.build(watermark)), context);
        }
        discardGroups(context);
    }

    @Override
    public Stream<? extends Scannable> inners() {
        return outlets.stream();
    }

    @Override
    @SuppressWarnings("rawtypes") // Scannable's own signature
    public @Nullable Object scanUnsafe(Attr key) {
        return key == Attr.PARENT ? split : super.scanUnsafe(key);
    }
}
