package io.fluxmark.proof;

import io.fluxmark.windows.CheckpointBarrier;
import io.fluxmark.windows.JobDefinition;
import io.fluxmark.windows.StreamElement;
import io.fluxmark.windows.WindowResult;
import java.util.function.UnaryOperator;

/** A change of a job that is meant to break it. */
interface Mutation {

    JobDefinition<? extends WindowResult<String, Long>> apply(
            JobDefinition<? extends WindowResult<String, Long>> definition);

    /** Replaces barriers as they leave the last operator, or adds to their transactions. */
    static Mutation ofBarriers(UnaryOperator<CheckpointBarrier<?>> change) {
        return definition -> ofBarriers(definition, change);
    }

    @SuppressWarnings("unchecked") // a barrier carries its type only as a phantom
    private static <T> JobDefinition<T> ofBarriers(
            JobDefinition<T> definition, UnaryOperator<CheckpointBarrier<?>> change) {
        return new JobDefinition<>(
                definition.source(),
                lane -> definition
                        .recipe()
                        .apply(lane)
                        .map(element -> element instanceof CheckpointBarrier<T> barrier
                                ? (StreamElement<T>) change.apply(barrier)
                                : element),
                definition.merged(),
                definition.keyCodec(),
                definition.valueCodec(),
                definition.stages(),
                definition.split(),
                definition.lanes());
    }
}
