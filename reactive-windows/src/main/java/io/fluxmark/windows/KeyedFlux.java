package io.fluxmark.windows;

import java.time.Duration;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Scheduler;

/**
 * Events with a key; see {@link EventFlux}.
 *
 * @param <K> the key
 * @param <T> the events
 */
public final class KeyedFlux<K, T> {

    final Function<LaneContext, Flux<StreamElement<T>>> recipe;
    final Plan plan;
    final KeyCodec<K> keyCodec;
    final Function<? super T, ? extends K> key;

    /** See {@link EventFlux}. */
    final @Nullable SourceRoot<?, ?, T> root;

    /** Among how many lanes the keys are divided in the next stage; null where they are not. */
    final @Nullable Parallelism parallelism;

    KeyedFlux(
            Function<LaneContext, Flux<StreamElement<T>>> recipe,
            Plan plan,
            KeyCodec<K> keyCodec,
            Function<? super T, ? extends K> key,
            @Nullable SourceRoot<?, ?, T> root) {
        this(recipe, plan, keyCodec, key, root, null);
    }

    private KeyedFlux(
            Function<LaneContext, Flux<StreamElement<T>>> recipe,
            Plan plan,
            KeyCodec<K> keyCodec,
            Function<? super T, ? extends K> key,
            @Nullable SourceRoot<?, ?, T> root,
            @Nullable Parallelism parallelism) {
        this.recipe = recipe;
        this.plan = plan;
        this.keyCodec = keyCodec;
        this.key = key;
        this.root = root;
        this.parallelism = parallelism;
    }

    /**
     * Divides the keys among {@code lanes} threads for the stage that comes next, windows or a function over keyed events: workers
     * of the lane's clock. What comes out is what one lane would emit, element by element: the same results in the same order,
     * with the same revisions, counters and rows beside them, whatever the number of lanes, the demand and the threads are. (What
     * the clock fires, early results at an interval, comes in no order among keys.)
     *
     * <p>Keys belong to 16 groups, by a hash that is the same in every run, and each lane has some of the groups. State is kept by
     * group: {@code lanes} may be another number at each restart of a job. Only a job that was not divided at all, or in other
     * stages, keeps its state otherwise, and needs a new name.
     *
     * <p>What stands before {@code parallel} is still worked on by one thread at a time, and so is what comes behind the stage;
     * records of several partitions are decoded on as many threads as there are lanes. The key function is called on the thread
     * before, and again on the lane. It, the aggregation or function of the stage, and the decoder are called by several threads
     * at once, never for the same key; a late output is called by one, in order.
     *
     * <p>Events travel in runs of up to 4,096 that are divided together. A lane has at most 4 of these before it, a group 4 more
     * and 4 runs of results behind it: what is slow, be it one lane or downstream, holds the others back by as much. A barrier
     * goes through all groups, and on when all have put their changes into its transaction; the watermark goes on when the last
     * of them has come to it. The first failure of a lane ends the stream, once.
     *
     * @param lanes 1 to 16
     * @throws IllegalArgumentException for another number
     * @throws IllegalStateException behind {@link EventFlux#keyByRecordKey}, where each partition is a lane already
     */
    public KeyedFlux<K, T> parallel(int lanes) {
        return parallel(new Parallelism(lanes, null));
    }

    /**
     * The same on workers of another scheduler, one for each lane and one for what comes before them. It must be allowed to block
     * on files where state is in a store. It is not disposed of.
     */
    public KeyedFlux<K, T> parallel(int lanes, Scheduler scheduler) {
        return parallel(new Parallelism(lanes, Objects.requireNonNull(scheduler, "scheduler")));
    }

    private void requireUndivided(String stage) {
        if (parallelism != null) {
            throw new IllegalStateException("a " + stage + " is not divided among lanes, windows and functions are: put"
                    + " parallel behind it, before those");
        }
    }

    private KeyedFlux<K, T> parallel(Parallelism among) {
        plan.requireMerged();
        return new KeyedFlux<>(recipe, plan, keyCodec, key, root, among);
    }

    /**
     * Calls a function of one's own for each event, in order, with state and event-time timers of the event's key. An event
     * behind the watermark is handed over like any other: {@link ProcessContext#isLate} tells, and it counts as {@link
     * Counter#LATE}.
     *
     * @throws IllegalStateException where a stage before takes results back and {@code process} does not take them
     */
    public <R> EventFlux<R> process(KeyedProcess<K, ? super T, R> process) {
        return processing().call(process);
    }

    /**
     * The same, but what is behind the watermark goes to {@code late}, counts as {@link Counter#SIDE}, and is not handed
     * over; null hands it over.
     */
    public <R> EventFlux<R> process(KeyedProcess<K, ? super T, R> process, @Nullable LateSink<? super T> late) {
        return late == null ? process(process) : processing().lateTo(late).call(process);
    }

    /** The same with more to say of it: {@code keyed.processing().countersTo(...).explainTo(...).call(process)}. */
    public ProcessFlux<K, T> processing() {
        return new ProcessFlux<>(this, null, counters -> {}, live -> {});
    }

    /**
     * Lets the first event of each key pass and takes those out that come with the same key afterwards (S39): the key is what
     * tells events apart, as an id of the record. What passes keeps its key.
     *
     * <p>Which is first follows from the order of the events, not from their times. From the first one at {@code t} the key is
     * remembered until the watermark has come to {@code t} plus the time-to-live; events with it do not prolong that, and
     * earlier ones do not shorten it. Then it is forgotten, and the next event with it passes. An event at {@code s} that comes
     * when the watermark has come to {@code s} plus the time-to-live can't be judged any more: it is late, does not pass and
     * counts as {@link Counter#DROPPED}. Those taken out count as {@link Counter#DUPLICATES}. What is merely behind the watermark is
     * judged like any other, and counts as {@link Counter#LATE} when it passes.
     *
     * <p>What is remembered is in the transaction of each barrier. It is no more than the ids of the time-to-live in event time,
     * and of as much as the watermark stays behind; what is over goes within an eighth of the time-to-live.
     *
     * <p>In a job it takes duplicates of one lane out: producers that send again are to send with the same key, or use {@link
     * EventFlux#keyBy}.
     *
     * @param timeToLive in event time, at least 1 ms; more than the allowed lateness of windows that follow
     * @throws IllegalStateException where a stage before takes results back
     */
    public KeyedFlux<K, T> dedupe(Duration timeToLive) {
        return deduping(timeToLive).byKey();
    }

    /**
     * The same where events are told apart by key and id: those with the same id but other keys are different. What a key is
     * partitioned by needs not be the id.
     *
     * @param codec encodes ids; {@link KeyCodec#tagged(Class)} for those that need no codec of their own
     */
    public <I> KeyedFlux<K, T> dedupe(Function<? super T, ? extends I> id, KeyCodec<I> codec, Duration timeToLive) {
        return deduping(timeToLive).by(id, codec);
    }

    /** The same with more to say of it: {@code keyed.deduping(ttl).lateTo(...).countersTo(...).byKey()}. */
    public DedupeFlux<K, T> deduping(Duration timeToLive) {
        requireUndivided("dedupe");
        long millis = WindowSpec.millis(timeToLive, "timeToLive");
        if (millis < 1) {
            throw new IllegalArgumentException("a time-to-live is at least 1 ms but was " + timeToLive);
        }
        return new DedupeFlux<>(this, millis, null, counters -> {});
    }

    /** The events without the key, to be keyed anew: behind a dedupe, those that have passed. */
    public EventFlux<T> unkeyed() {
        return new EventFlux<>(recipe, plan);
    }

    /**
     * Joins these events, the left ones, with those of another stream that have the same key, the right ones: {@code
     * left.join(right).within(before, after).inner((l, r) -> ...)}, or {@code .window(windows)}.
     *
     * @throws IllegalStateException where a stage before either takes results back, or only one starts at a source with
     *     positions
     */
    public <R> JoinedFlux<K, T, R> join(KeyedFlux<K, R> right) {
        requireUndivided("join");
        right.requireUndivided("join");
        return new JoinedFlux<>(this, Objects.requireNonNull(right, "right"));
    }

    /**
     * The same events under another key, as {@link EventFlux#keyBy} makes it: in a job over a log every new key may come from every
     * partition, so that one lane is over all of them, also for the stages before.
     */
    public <L> KeyedFlux<L, T> rekey(Function<? super T, ? extends L> newKey) {
        return rekey(KeyCodec.tagged(), newKey);
    }

    /** The same with an own codec. */
    public <L> KeyedFlux<L, T> rekey(KeyCodec<L> codec, Function<? super T, ? extends L> newKey) {
        return new KeyedFlux<>(recipe, plan.merged(), codec, newKey, root);
    }

    /**
     * The same events under another key by which the records are partitioned as well, such as an equal one of another type:
     * checked as in {@link EventFlux#keyByRecordKey}. Partitions stay lanes of their own, unless a {@code keyBy} stands anywhere.
     *
     * @throws IllegalStateException for a pipeline that does not start at a source with positions
     */
    public <L> KeyedFlux<L, T> rekeyByRecordKey(Function<? super T, ? extends L> newKey) {
        plan.requireSource("rekeyByRecordKey", "use keyBy and rekey");
        return new KeyedFlux<>(recipe, plan, KeyCodec.tagged(), newKey, root);
    }

    /**
     * Windows over the events of each key. A window's result appears once the watermark has passed its end: after the
     * last event of a silent stream nothing fires until another event comes or the stream ends.
     */
    public WindowedFlux<K, T> window(WindowSpec windows) {
        return new WindowedFlux<>(this, windows, null, counters -> {}, live -> {}, null);
    }

    /**
     * Sessions whose gap each event says itself, in ms: at least 1 and at most the definition's. An event keeps its
     * session open for that long.
     *
     * @throws IllegalArgumentException for windows that are not sessions
     */
    public WindowedFlux<K, T> window(WindowSpec sessions, ToLongFunction<? super T> gapMillis) {
        if (sessions.kind() != WindowSpec.Kind.SESSION) {
            throw new IllegalArgumentException("only sessions have a gap, but these are " + sessions + " windows");
        }
        return new WindowedFlux<>(
                this, sessions, null, counters -> {}, live -> {}, Objects.requireNonNull(gapMillis, "gapMillis"));
    }
}
