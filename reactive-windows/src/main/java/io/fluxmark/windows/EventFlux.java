package io.fluxmark.windows;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;

/**
 * A pipeline over events in event time. Like {@link reactor.core.publisher.ParallelFlux} it is not a {@code Flux}: it
 * offers only operators that keep order and control elements. It is a recipe, immutable and reusable; nothing happens
 * before {@link #toFlux()}, {@link #elements()} or the job of {@link #writeTo} is subscribed to, and every subscription
 * starts with state of its own (a job with what it has committed).
 *
 * @param <T> the events
 */
public final class EventFlux<T> {

    private final Function<LaneContext, Flux<StreamElement<T>>> recipe;
    private final Plan plan;

    /** Null where there is no source with positions, or something has been done to the events that is not one by one. */
    private final @Nullable SourceRoot<?, ?, T> root;

    EventFlux(Function<LaneContext, Flux<StreamElement<T>>> recipe, Plan plan) {
        this(recipe, plan, null);
    }

    private EventFlux(
            Function<LaneContext, Flux<StreamElement<T>>> recipe, Plan plan, @Nullable SourceRoot<?, ?, T> root) {
        this.recipe = recipe;
        this.plan = plan;
        this.root = root;
    }

    /**
     * Events without event time yet: {@link #watermarks} comes next. Completion of {@code source} fires every window. What
     * travels together, and what that means for a source that blocks, says {@link EventTime#runs()}.
     */
    public static <T> EventFlux<T> from(Publisher<T> source) {
        return from(source, EventBatch.MAX_SIZE);
    }

    /** The same with a run size of 1 to {@value EventBatch#MAX_SIZE}; results do not depend on it. */
    public static <T> EventFlux<T> from(Publisher<T> source, int runSize) {
        EventTime.requireRunSize(runSize);
        return new EventFlux<>(
                lane -> EventTime.<T>runs(Math.min(runSize, lane.runSize())).apply(Flux.from(source)), Plan.local());
    }

    /** Elements made elsewhere, events in runs with timestamps and watermarks. */
    public static <T> EventFlux<T> fromElements(Publisher<StreamElement<T>> elements) {
        return new EventFlux<>(lane -> Flux.from(elements), Plan.local());
    }

    /**
     * Events of a source with positions, for jobs.
     *
     * @param decoder makes an event of what the source emits; what it throws makes the record invalid, not the job
     * @param invalid is given what is rejected, in order
     */
    public static <S, T> EventFlux<T> fromSource(
            EventSource<S> source,
            EventDecoder<S, ? extends T> decoder,
            TimestampFunction<? super T> timestamps,
            WatermarkSpec spec,
            InvalidSink invalid) {
        Plan plan = Plan.of(source);
        String name = plan.nextName("event-time");
        EventTime.announce(name, spec);
        TimeDefinition<S, T> definition = new TimeDefinition<>(name, decoder, timestamps, spec, invalid);
        return new EventFlux<>(
                lane -> lane.partitions().size() > 1
                        ? EventTime.assignMerged(source, definition, lane)
                        : EventTime.assign(source.open(lane), definition, lane),
                plan.next(),
                SourceRoot.of(source, definition));
    }

    /**
     * Events of several sources, merged in event time: each source is a partition, and the watermark is the smallest over
     * those that are not idle (S25-S30). What is read when, and what is buffered, says {@link EventTime#merge}.
     *
     * @param sources 1 to {@value EventTime#MAX_SOURCES}
     */
    public static <T> EventFlux<T> merge(
            List<? extends Publisher<? extends T>> sources, TimestampFunction<? super T> time, WatermarkSpec spec) {
        return merge(sources, EventTime.MERGE_PREFETCH, time, spec, invalid -> {});
    }

    /**
     * The same; {@code invalid} is given what has no usable time.
     *
     * @param prefetch how many values are requested ahead of each source, 1 to {@value EventBatch#MAX_SIZE}
     */
    public static <T> EventFlux<T> merge(
            List<? extends Publisher<? extends T>> sources,
            int prefetch,
            TimestampFunction<? super T> time,
            WatermarkSpec spec,
            Consumer<? super InvalidEvent> invalid) {
        List<Flux<T>> checked = MergeFlux.checked(sources, prefetch);
        Plan plan = Plan.local();
        String name = plan.nextName("merge");
        EventTime.announce(name, spec);
        TimeDefinition<T, T> definition = TimeDefinition.ofEvents(name, time, spec, invalid);
        return new EventFlux<>(lane -> MergeFlux.of(checked, prefetch, definition, lane), plan.next());
    }

    /** Gives events their time, from a function that gives instants. */
    public EventFlux<T> watermarks(Function<? super T, ? extends @Nullable Instant> time, WatermarkSpec spec) {
        return watermarks(TimestampFunction.<T>ofInstant(time), spec, invalid -> {});
    }

    /** Gives events their time, from a function that gives milliseconds since the epoch. */
    public EventFlux<T> watermarksMillis(TimestampFunction<? super T> epochMillis, WatermarkSpec spec) {
        return watermarks(epochMillis, spec, invalid -> {});
    }

    /** The same; {@code invalid} is given what has no usable time, in order. */
    public EventFlux<T> watermarks(
            TimestampFunction<? super T> time, WatermarkSpec spec, Consumer<? super InvalidEvent> invalid) {
        String name = plan.nextName("event-time");
        EventTime.announce(name, spec);
        spec.requireNotAligned();
        TimeDefinition<T, T> definition = TimeDefinition.ofEvents(name, time, spec, invalid);
        return new EventFlux<>(lane -> EventTime.assign(recipe.apply(lane), definition, lane), plan.next());
    }

    /**
     * Gives events of several partitions that come in one stream their time. The watermark is the smallest over the
     * partitions that are not idle, and stands before the first event until each of them has had an event or is idle (S25,
     * S27).
     *
     * @param partitions how many there are, at least 1
     * @param partition the partition of an event, from 0; where there is no such one, the event is invalid
     */
    public EventFlux<T> watermarksByPartition(
            int partitions,
            ToIntFunction<? super T> partition,
            TimestampFunction<? super T> time,
            WatermarkSpec spec,
            Consumer<? super InvalidEvent> invalid) {
        String name = plan.nextName("event-time");
        EventTime.announce(name, spec);
        spec.requireNotAligned();
        EventTime.requirePartitions(partitions);
        TimeDefinition<T, T> definition = TimeDefinition.ofEvents(name, time, spec, invalid);
        return new EventFlux<>(
                lane -> EventTime.assignByPartition(recipe.apply(lane), definition, partitions, partition, lane),
                plan.next());
    }

    /**
     * Gives events the time of the lane's clock at which they are taken: windows are of processing time from here on. The
     * time never steps back, whatever the clock does, and no event is late; a job that is replayed after a crash gives
     * other times. The watermark follows the clock, on its own at each tick, while there is demand.
     *
     * @param tick how far the watermark may stay behind the clock, at least 1 ms: by so much windows fire later than they
     *     end
     */
    public EventFlux<T> processingTime(Duration tick) {
        long millis = WindowSpec.millis(tick, "tick");
        if (millis < 1) {
            throw new IllegalArgumentException("a tick is at least 1 ms but was " + tick);
        }
        String name = plan.nextName("processing-time");
        return new EventFlux<>(
                lane -> OperatorFlux.of(
                        recipe.apply(lane), name, actual -> new ProcessingTimeOperator<T>(actual, name, millis, lane)),
                plan.next());
    }

    /**
     * What becomes of events on which a function of the operators from here on fails, up to the next such word: of {@link
     * #map}, {@link #filter}, {@link #peek}, {@link #mapMany}, {@link #mapAsync}, the key of a window, the gaps of its sessions, the ids of {@link #dedupe}, and a function over keyed events with its key and timers. Without one the stream ends. It says nothing of an aggregation, whose
     * accumulator may be half changed then, nor of outputs: what these throw ends the stream always.
     */
    public EventFlux<T> onFailure(FailurePolicy policy) {
        return new EventFlux<>(
                recipe, plan.with(plan.functions().with(Objects.requireNonNull(policy, "policy"))), root);
    }

    /** Keeps the events that match. Watermarks flow even when nothing matches (S34). */
    public EventFlux<T> filter(Predicate<? super T> predicate) {
        FailureGuard guard = plan.nextGuard("filter");
        return new EventFlux<>(
                guard == null
                        ? lane -> OperatorFlux.of(
                                recipe.apply(lane), "filter", actual -> new FilterOperator<T>(actual, predicate))
                        : lane -> guarded(guard, lane, value -> predicate.test(value) ? value : null),
                plan.with(plan.functions().next()),
                guard != null || root == null ? null : root.filter(predicate));
    }

    /**
     * Takes the events that match out of the stream and hands them to {@code sink}, in order; watermarks flow on. A side output
     * that keeps rows, as a side table does, has each event once, in the transaction of the barrier that follows it.
     */
    public EventFlux<T> divert(Predicate<? super T> predicate, SideSink<? super T> sink) {
        Objects.requireNonNull(predicate, "predicate");
        Objects.requireNonNull(sink, "sink");
        return new EventFlux<>(
                lane -> OperatorFlux.of(
                        recipe.apply(lane),
                        "divert",
                        actual -> new DivertOperator<T>(actual, predicate, sink.open(lane))),
                plan);
    }

    /** Maps each event to another, at the same time and with the same sign; null is an error. */
    public <R> EventFlux<R> map(Function<? super T, ? extends R> mapper) {
        FailureGuard guard = plan.nextGuard("map");
        return new EventFlux<>(
                guard == null
                        ? lane -> OperatorFlux.of(
                                recipe.apply(lane), "map", actual -> new MapOperator<T, R>(actual, mapper))
                        : lane -> guarded(
                                guard,
                                lane,
                                value -> Objects.requireNonNull(mapper.apply(value), "the mapper returned null")),
                plan.withoutCodecs().with(plan.functions().next()),
                guard != null || root == null ? null : root.map(mapper));
    }

    /** Leaves out what matches; not a user's function. */
    EventFlux<T> without(Predicate<? super T> predicate, String name) {
        return new EventFlux<>(
                lane -> OperatorFlux.of(
                        recipe.apply(lane), name, actual -> new FilterOperator<T>(actual, predicate.negate())),
                plan);
    }

    /**
     * Shows each event to {@code consumer}, in order, what takes a result back as well; in a job again where it is replayed after
     * a crash.
     */
    public EventFlux<T> peek(Consumer<? super T> consumer) {
        Objects.requireNonNull(consumer, "consumer");
        FailureGuard guard = plan.nextGuard("peek");
        return new EventFlux<>(
                guard == null
                        ? lane -> Elements.<T>peek(consumer).apply(recipe.apply(lane))
                        : lane -> guarded(guard, lane, value -> {
                            consumer.accept(value);
                            return value;
                        }),
                plan.with(plan.functions().next()));
    }

    /**
     * Makes any number of results of each event, none as well, in order; each has the time, the watermark and the sign of its
     * event. What the function returns has to be the same for equal events, and to have an end: nothing else, no barrier either,
     * comes before that. Results are taken from the {@code Iterable} as there is demand, and become runs of at most {@value
     * EventBatch#MAX_SIZE}. With a {@link #onFailure failure policy} those of an event are collected first, at most {@value
     * Elements#MAX_RESULTS}: where one of them can't be made, the event is left out as a whole.
     */
    public <R> EventFlux<R> mapMany(Function<? super T, ? extends Iterable<? extends R>> function) {
        Objects.requireNonNull(function, "function");
        String name = plan.functions().nextName("map-many");
        FailureGuard guard = plan.nextGuard("map-many");
        return new EventFlux<>(
                lane -> ManyOperator.flux(recipe.apply(lane), name, function, guard, lane),
                plan.withoutCodecs().with(plan.functions().next()));
    }

    /**
     * Asks a function about each event that answers later, with a {@code Mono} as a rule: a call to another service. The result
     * takes the place of the event, with its time and sign; a publisher that completes empty leaves the event out, an error ends
     * the stream or is what the {@link #onFailure failure policy} says, and more than one result is an error.
     *
     * <p>At most {@code concurrency} calls are under way at once. Order is kept, and no watermark, barrier or word of idleness
     * passes a call: sources are told to make runs of {@code concurrency} events, one of which is asked about at a time, and a
     * barrier waits for that one at most. A larger {@code concurrency} so means more throughput and a longer wait. Runs that
     * don't come from a source, as results of windows, may be longer, and are worked through with so many calls at once.
     *
     * <p>There is no time limit: put {@link reactor.core.publisher.Mono#timeout} on what the function returns. A call that does not
     * end holds the stream back, and its job's commits. A cancel, and the end by an error, cancel what is under way. The
     * subscriber's context reaches each call. The function is called in order, on the lane's thread: it must not block. What comes
     * behind goes on on the lane's clock, on whatever thread a call has ended.
     *
     * <p>In a job a call whose event is not committed is made again after a crash: what it changes elsewhere has to be
     * idempotent. What it answers may differ then, and only what is committed counts.
     *
     * @param concurrency 1 to {@value EventBatch#MAX_SIZE}
     * @throws IllegalStateException where a stage before takes results back: what takes one back has to be equal to it, and a call
     *     may give another answer
     */
    public <R> EventFlux<R> mapAsync(int concurrency, Function<? super T, ? extends Publisher<? extends R>> function) {
        Objects.requireNonNull(function, "function");
        AsyncMapOperator.requireConcurrency(concurrency);
        plan.requireNoRetractions("mapAsync");
        String name = plan.functions().nextName("map-async");
        FailureGuard guard = plan.nextGuard("map-async");
        return new EventFlux<>(
                lane -> AsyncMapOperator.flux(
                        recipe.apply(AnnouncedLane.of(lane, concurrency)), name, function, concurrency, guard, lane),
                plan.withoutCodecs().with(plan.functions().next()));
    }

    /**
     * These events and those of another stream, merged: the earliest at hand first, of equal ones one of these. Each stream has its
     * event time already; the watermark is the smallest of theirs, of those that are neither idle nor at their end, and of all
     * idle ones the largest (S25-S31). A stream that has nothing at hand is not waited for: what it brings later is not late, since
     * it holds the watermark. A result that is taken back is followed by what its own stream has in its place.
     *
     * <p>Sources without event time are better merged by {@link #merge}, which looks at their events and can keep them together.
     *
     * @throws IllegalStateException where one of the two starts at a source with positions: a job reads one topic, whose
     *     partitions {@link #keyBy} merges
     */
    @SuppressWarnings("unchecked") // elements are only read
    public EventFlux<T> union(EventFlux<? extends T> other) {
        Plan both = plan.union(other.plan);
        Function<LaneContext, Flux<StreamElement<T>>> second =
                ((EventFlux<T>) Objects.requireNonNull(other, "other")).recipe;
        return new EventFlux<>(lane -> UnionFlux.of(List.of(recipe.apply(lane), second.apply(lane)), lane), both);
    }

    private <R> Flux<StreamElement<R>> guarded(
            FailureGuard guard, LaneContext lane, GuardedOperator.Step<? super T, ? extends R> step) {
        return OperatorFlux.of(
                recipe.apply(lane), guard.name(), actual -> new GuardedOperator<T, R>(actual, step, guard.open(lane)));
    }

    /**
     * Keys events by any function; the key needs an {@code equals} and must be one that {@link KeyCodec#tagged} takes. The
     * function may be called more than once for an event, and for the events of a run before the first of them is added.
     *
     * <p>In a job over a log every key may come from every partition: one lane is over all of them, whose watermark is the
     * smallest over the partitions that are not idle (S25-S30). It reads the earliest of the events that come first in their
     * partitions. One lane does not use more than one thread at a time, unless {@link KeyedFlux#parallel} divides its keys, and a
     * silent partition holds it back until it is idle: where the key is what records are partitioned by, use {@link
     * #keyByRecordKey}. A pipeline in which a {@code keyBy}
     * stands anywhere is merged as a whole, and then no key of a {@code keyByRecordKey} is checked either.
     */
    public <K> KeyedFlux<K, T> keyBy(Function<? super T, ? extends K> key) {
        return keyBy(KeyCodec.tagged(), key);
    }

    /**
     * The same for keys that are longs: with it tumbling and sliding windows on the heap make no object for the key of an
     * event. What comes out is what {@link #keyBy} makes of a {@link Long}.
     */
    public KeyedFlux<Long, T> keyByLong(ToLongFunction<? super T> key) {
        return keyBy(new LongKey<T>(key));
    }

    /** The same with an own codec. */
    public <K> KeyedFlux<K, T> keyBy(KeyCodec<K> codec, Function<? super T, ? extends K> key) {
        return new KeyedFlux<>(recipe, plan.merged(), codec, key, root);
    }

    /**
     * Keys events by what they are partitioned by: every partition is a lane of its own, with its own watermark, which a
     * silent partition can't hold back (S25). A key that is found in another partition than the one its bytes hash to
     * ends the job.
     */
    public <K> KeyedFlux<K, T> keyByRecordKey(Function<? super T, ? extends K> key) {
        return keyByRecordKey(KeyCodec.tagged(), key);
    }

    /** The same with an own codec. */
    public <K> KeyedFlux<K, T> keyByRecordKey(KeyCodec<K> codec, Function<? super T, ? extends K> key) {
        plan.requireSource("keyByRecordKey", "use keyBy");
        return new KeyedFlux<>(recipe, plan, codec, key, root);
    }

    /**
     * Lets the first event of each id pass and takes those out that come with the same id afterwards (S39); what that means, and
     * what the time-to-live does, says {@link KeyedFlux#dedupe(Duration)}. It is {@code keyBy(codec, id).dedupe(timeToLive)}: in a
     * job over a log one lane is over all partitions, and finds duplicates wherever they are. Where all events with one id are
     * in one partition, use {@code keyByRecordKey(key).dedupe(id, codec, timeToLive)}.
     *
     * @param codec encodes ids; {@link KeyCodec#tagged(Class)} for those that need no codec of their own
     * @param timeToLive in event time, at least 1 ms; more than the allowed lateness of windows that follow
     * @throws IllegalStateException where a stage before takes results back
     */
    public <I> EventFlux<T> dedupe(Function<? super T, ? extends I> id, KeyCodec<I> codec, Duration timeToLive) {
        return this.<I>keyBy(codec, id).dedupe(timeToLive).unkeyed();
    }

    /** The values alone, one per demand. Retractions look like values: use {@link WindowResult#isRetraction}. */
    public Flux<T> toFlux() {
        return elements().transform(EventTime.values());
    }

    /** The elements, with state on the heap: for one's own operators, which must pass control elements on in order. */
    public Flux<StreamElement<T>> elements() {
        plan.requireNoSource();
        return elements(LaneContext::local);
    }

    /** The elements in a lane made for each subscription. */
    public Flux<StreamElement<T>> elements(java.util.function.Supplier<? extends LaneContext> lane) {
        return Flux.defer(() -> recipe.apply(lane.get()));
    }

    /**
     * Ends the pipeline in a sink: a job. The result is cold and emits one element per durable commit.
     *
     * <p>Subscribing restores what was committed and runs; a second concurrent subscription to a job fails. Demand never
     * steers the job: checkpoints without demand conflate to the newest, and the last one is always delivered. Cancel
     * ends the job without a further transaction; one already handed over may or may not become durable, and both are
     * consistent. After an error {@code retryWhen} is recovery.
     *
     * @throws IllegalStateException for a pipeline that does not start at a source with positions
     */
    public Flux<Checkpoint> writeTo(EventSink<? super T> sink, CheckpointSpec spec) {
        EventSource<?> source = plan.requireSource("writeTo", "start it at a log source");
        return sink.write(
                new JobDefinition<>(
                        source,
                        recipe,
                        plan.isMerged(),
                        plan.keyCodec(),
                        plan.valueCodec(),
                        plan.keyed(),
                        plan.split().operators(),
                        plan.split().lanes()),
                spec);
    }
}
