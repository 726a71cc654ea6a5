package io.fluxmark.windows;

import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.util.Loggers;

/**
 * Transformers, for {@code flux.transform(...)}, that bring values into event time. Each keeps order and demand: one
 * element of demand is one element, and nothing is requested that was not asked for beyond a declared prefetch.
 */
public final class EventTime {

    /** The most sources that {@link #merge} takes. */
    public static final int MAX_SOURCES = 1024;

    /** How many values {@link #merge} requests ahead of each source, unless told otherwise. */
    public static final int MERGE_PREFETCH = 32;

    private static final String NAME = "event-time";

    private EventTime() {}

    /**
     * Collects values into runs of at most {@value EventBatch#MAX_SIZE}, of whatever is available. Completion of the
     * source ends the stream: {@link Watermark#END}, then completion. An error ends it without (S33).
     *
     * <p>Available together is what the source emits within one {@code request(n)}, before that returns, and what has come
     * while there was no demand; a value that comes on its own travels at once. No more than one run is requested ahead. A
     * source that blocks inside {@code request(n)} holds back what it has emitted in it: put {@code subscribeOn} behind it,
     * as for any blocking source, or use a run size of 1.
     */
    public static <T> Function<Flux<T>, Flux<StreamElement<T>>> runs() {
        return runs(EventBatch.MAX_SIZE);
    }

    /** The same with a run size of 1 to {@value EventBatch#MAX_SIZE}; results do not depend on it. */
    public static <T> Function<Flux<T>, Flux<StreamElement<T>>> runs(int runSize) {
        requireRunSize(runSize);
        return source -> OperatorFlux.of(source, "runs", actual -> new RunAssembler<T>(actual, runSize));
    }

    /** Timestamps and a watermark in force before each event (S04); invalid events are counted and left out. */
    public static <T> Function<Flux<StreamElement<T>>, Flux<StreamElement<T>>> assign(
            TimestampFunction<? super T> timestamps, WatermarkSpec spec) {
        return assign(timestamps, spec, event -> {}, LaneContext.local());
    }

    /**
     * The same in a lane.
     *
     * @param invalid is given what was rejected, in order
     */
    public static <T> Function<Flux<StreamElement<T>>, Flux<StreamElement<T>>> assign(
            TimestampFunction<? super T> timestamps,
            WatermarkSpec spec,
            Consumer<? super InvalidEvent> invalid,
            LaneContext lane) {
        announce(NAME, spec);
        spec.requireNotAligned();
        return source -> assign(source, TimeDefinition.ofEvents(NAME, timestamps, spec, invalid), lane);
    }

    /**
     * Timestamps, and the watermark of several partitions that come in one stream: the smallest over those that are not
     * idle (S25-S30).
     *
     * @param partitions how many there are, at least 1
     * @param partition the partition of an event, from 0; where there is no such one, the event is invalid
     */
    public static <T> Function<Flux<StreamElement<T>>, Flux<StreamElement<T>>> assignByPartition(
            int partitions,
            ToIntFunction<? super T> partition,
            TimestampFunction<? super T> timestamps,
            WatermarkSpec spec) {
        return assignByPartition(partitions, partition, timestamps, spec, event -> {}, LaneContext.local());
    }

    /**
     * The same in a lane.
     *
     * @param invalid is given what was rejected, in order
     */
    public static <T> Function<Flux<StreamElement<T>>, Flux<StreamElement<T>>> assignByPartition(
            int partitions,
            ToIntFunction<? super T> partition,
            TimestampFunction<? super T> timestamps,
            WatermarkSpec spec,
            Consumer<? super InvalidEvent> invalid,
            LaneContext lane) {
        announce(NAME, spec);
        spec.requireNotAligned();
        requirePartitions(partitions);
        return source -> assignByPartition(
                source, TimeDefinition.ofEvents(NAME, timestamps, spec, invalid), partitions, partition, lane);
    }

    /**
     * Merges sources into one stream in event time: each is a partition, with a watermark of its own by {@code spec}, and
     * the watermark of the stream is the smallest over the partitions that are not idle (S25-S30). A source that completes
     * holds it no longer; when all have, the stream ends: {@link Watermark#END}, then completion (S31, S33). An error of one
     * ends the stream without, behind what came before it, and cancels the others; a cancel cancels all and discards what
     * waits.
     *
     * <p>Read is the earliest event that is at hand, of equal ones that of the first source. A source that has nothing at
     * hand is not waited for: one that is slow stops nobody, and what it brings later is not late, since it holds the
     * watermark. Sources that answer a request on the spot come out in order of time.
     *
     * <p>One element of demand is one run of at most {@value EventBatch#MAX_SIZE} events, of whatever sources. At most
     * {@value #MERGE_PREFETCH} values are requested ahead of each source, and nothing else is buffered. A source is caught
     * up while it has been asked and has sent nothing; where it only pauses, it becomes idle as if it had nothing. Silence
     * counts, and is noticed, while nothing is at hand of any source: reading others, and a downstream that takes its time,
     * makes nobody idle.
     *
     * @param sources 1 to {@value #MAX_SOURCES}
     */
    public static <T> Flux<StreamElement<T>> merge(
            List<? extends Publisher<? extends T>> sources,
            TimestampFunction<? super T> timestamps,
            WatermarkSpec spec) {
        return merge(sources, MERGE_PREFETCH, timestamps, spec, event -> {}, LaneContext.local());
    }

    /**
     * The same in a lane, in which a source has something unread also while {@link LaneContext#lag} of its place in the
     * list, from 0, is more than 0.
     *
     * @param prefetch how many values are requested ahead of each source, 1 to {@value EventBatch#MAX_SIZE}
     * @param invalid is given what was rejected, in the order of reading
     */
    public static <T> Flux<StreamElement<T>> merge(
            List<? extends Publisher<? extends T>> sources,
            int prefetch,
            TimestampFunction<? super T> timestamps,
            WatermarkSpec spec,
            Consumer<? super InvalidEvent> invalid,
            LaneContext lane) {
        List<Flux<T>> checked = MergeFlux.checked(sources, prefetch);
        announce("merge", spec);
        return MergeFlux.of(checked, prefetch, TimeDefinition.ofEvents("merge", timestamps, spec, invalid), lane);
    }

    static void requireRunSize(int runSize) {
        if (runSize < 1 || runSize > EventBatch.MAX_SIZE) {
            throw new IllegalArgumentException("a run size is 1.." + EventBatch.MAX_SIZE + " but was " + runSize);
        }
    }

    static void requirePartitions(int partitions) {
        if (partitions < 1) {
            throw new IllegalArgumentException("there is at least 1 partition but there were to be " + partitions);
        }
    }

    /** Says at assembly what ties results to the clock (S30). */
    static void announce(String name, WatermarkSpec spec) {
        spec.check();
        Duration silence = spec.clockFollowedAfter();
        if (silence != null) {
            Loggers.getLogger(EventTime.class)
                    .info(name + " follows the clock after a silence of " + silence
                            + ": what fires then depends on when events came, and a replay may give other results");
        }
    }

    static <S, T> Flux<StreamElement<T>> assign(
            Publisher<StreamElement<S>> source, TimeDefinition<S, T> definition, LaneContext lane) {
        if (definition.spec().watchesSilence()) {
            return assignByPartition(source, definition, 1, value -> 0, lane);
        }
        return OperatorFlux.of(
                source, definition.name(), actual -> new EventTimeOperator<S, T>(actual, definition, lane));
    }

    static <S, T> Flux<StreamElement<T>> assignByPartition(
            Publisher<StreamElement<S>> source,
            TimeDefinition<S, T> definition,
            int partitions,
            ToIntFunction<? super T> partition,
            LaneContext lane) {
        return OperatorFlux.of(
                source,
                definition.name(),
                actual -> new PartitionedTimeOperator<S, T>(
                        actual,
                        definition.name(),
                        definition.spec(),
                        partitions,
                        new EventsByFunction<>(definition, partitions, partition, lane),
                        null,
                        lane));
    }

    /** The same of all partitions of a lane, which come in order of time. */
    static <S, T> Flux<StreamElement<T>> assignMerged(
            EventSource<S> source, TimeDefinition<S, T> definition, LaneContext lane) {
        int partitions = lane.partitions().size();
        return Flux.defer(() -> {
            Alignment alignment = Alignment.of(partitions, definition.spec());
            return OperatorFlux.of(
                    source.openMerged(lane, new MergedRecords<>(definition, alignment, lane)),
                    definition.name(),
                    actual -> new PartitionedTimeOperator<MergedEvent<T>, T>(
                            actual,
                            definition.name(),
                            definition.spec(),
                            partitions,
                            new EventsOfLane<>(Collections.nCopies(partitions, definition.invalid()), lane),
                            alignment,
                            lane));
        });
    }

    /** The values of the runs, one by one; control elements, timestamps and signs are left behind. */
    public static <T> Function<Flux<StreamElement<T>>, Flux<T>> values() {
        return source -> OperatorFlux.of(source, "values", ValuesOperator::new);
    }
}
