package io.fluxmark.windows;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;

/**
 * Two sources with positions that are joined: read in one lane, in the order of event time, where each partition of either has a
 * watermark of its own and that in force is the smallest of all. Immutable.
 *
 * @param <S> what the sources read
 * @param inLane how many partitions of the left source a lane has; those of the right one come behind them
 */
record JoinRoots<S, A, B, L, R>(EventSource<S> both, SourceRoot<S, A, L> left, SourceRoot<?, B, R> right, int inLane) {

    /**
     * Of two pipelines.
     *
     * @param merged whether one lane is over all partitions
     * @throws IllegalStateException where they can't be read together
     */
    static <L, R> JoinRoots<?, ?, ?, L, R> of(
            EventSource<?> both,
            @Nullable SourceRoot<?, ?, L> left,
            @Nullable SourceRoot<?, ?, R> right,
            boolean merged) {
        if (left == null || right == null) {
            throw new IllegalStateException("between the " + (left == null ? "left" : "right")
                    + " log source and a join there may only be map and filter, with FailurePolicy.fail(): write what another"
                    + " stage makes to a topic, and join that, or put the stage behind the join");
        }
        WatermarkSpec ofLeft = left.time().spec();
        WatermarkSpec ofRight = right.time().spec();
        if (ofLeft.idleAfterNanos() != ofRight.idleAfterNanos()
                || ofLeft.followAfterNanos() != ofRight.followAfterNanos()
                || ofLeft.maxSkewMillis() != ofRight.maxSkewMillis()) {
            throw new IllegalStateException(
                    "both sides of a join over log sources have the same idleAfter, followClockWhenIdle and alignedWithin, since they are"
                            + " read in one lane: give the two WatermarkSpecs the same ones");
        }
        return of(both, left, right, merged ? left.source().partitions() : 1);
    }

    @SuppressWarnings("unchecked") // a source joined with another reads what its first does
    private static <S, A, B, L, R> JoinRoots<S, A, B, L, R> of(
            EventSource<?> both, SourceRoot<S, A, L> left, SourceRoot<?, B, R> right, int inLane) {
        return new JoinRoots<>((EventSource<S>) both, left, right, inLane);
    }

    /** The events of one lane. */
    Flux<StreamElement<JoinEvent<L, R>>> open(LaneContext lane) {
        return Flux.defer(() -> {
            Alignment alignment =
                    Alignment.of(lane.partitions().size(), left.time().spec());
            List<WatermarkSpec> specs =
                    new ArrayList<>(Collections.nCopies(inLane, left.time().spec()));
            List<InvalidSink> invalid =
                    new ArrayList<>(Collections.nCopies(inLane, left.time().invalid()));
            for (int p = inLane; p < lane.partitions().size(); p++) {
                specs.add(right.time().spec());
                invalid.add(right.time().invalid());
            }
            Flux<StreamElement<MergedEvent<JoinEvent<A, B>>>> read =
                    both.openMerged(lane, reader(right, alignment, lane));
            String name = left.time().name();
            Flux<StreamElement<JoinEvent<A, B>>> timed = OperatorFlux.of(
                    read,
                    name,
                    actual -> new PartitionedTimeOperator<MergedEvent<JoinEvent<A, B>>, JoinEvent<A, B>>(
                            actual, name, specs, new EventsOfLane<>(invalid, lane), alignment, lane));
            return OperatorFlux.of(
                    timed,
                    "join-sides",
                    actual -> new StepOperator<JoinEvent<A, B>, JoinEvent<L, R>>(actual, this::step));
        });
    }

    private <Q> MergedEventReader<S, JoinEvent<A, B>> reader(
            SourceRoot<Q, B, R> ofRight, @Nullable Alignment alignment, LaneContext lane) {
        MergedRecords<S, A> leftRecords = new MergedRecords<>(left.time(), alignment, lane);
        MergedRecords<Q, B> rightRecords = new MergedRecords<>(ofRight.time(), alignment, lane);
        return new MergedEventReader<>() {
            @Override
            public MergedEventReader<S, JoinEvent<A, B>> another() {
                return reader(ofRight, alignment, lane);
            }

            @Override
            public @Nullable Alignment alignment() {
                return alignment;
            }

            @Override
            public void begin() {
                leftRecords.begin();
                rightRecords.begin();
            }

            @Override
            @SuppressWarnings("unchecked") // the records of its partitions are the right source's
            public MergedEvent<JoinEvent<A, B>> read(int partition, List<? extends S> run, int index) {
                return partition < inLane
                        ? leftRecords.read(partition, run, index).map(JoinEvent::<A, B>ofLeft)
                        : rightRecords
                                .read(partition, (List<? extends Q>) run, index)
                                .map(JoinEvent::<A, B>ofRight);
            }
        };
    }

    private @Nullable JoinEvent<L, R> step(JoinEvent<A, B> event) {
        A ofLeft = event.left();
        if (ofLeft != null) {
            L value = left.step().apply(ofLeft);
            return value == null ? null : JoinEvent.ofLeft(value);
        }
        B ofRight = event.right();
        R value = ofRight == null ? null : right.step().apply(ofRight);
        return value == null ? null : JoinEvent.ofRight(value);
    }
}
