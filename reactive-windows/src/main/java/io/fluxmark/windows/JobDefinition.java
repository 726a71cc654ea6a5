package io.fluxmark.windows;

import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;

/**
 * What a sink gets to run: the source, and the recipe that makes the elements of one lane.
 *
 * @param source where positions come from
 * @param recipe the chain of one lane, its source included
 * @param merged whether one lane is over all partitions of the source, and not one over each
 * @param keyCodec encodes the keys of results, where the pipeline ends in a window
 * @param valueCodec encodes the values of results, where the aggregation knows one
 * @param stages the stages that keep state of keys, in their order
 * @param split the operators of those that are divided by key, {@link KeyedFlux#parallel}
 * @param lanes among how many lanes, the most of all; 0 where none is
 */
public record JobDefinition<T>(
        EventSource<?> source,
        Function<LaneContext, Flux<StreamElement<T>>> recipe,
        boolean merged,
        @Nullable KeyCodec<?> keyCodec,
        @Nullable Codec<?> valueCodec,
        List<KeyedStage> stages,
        List<String> split,
        int lanes) {

    /** Copies the list. */
    public JobDefinition {
        stages = List.copyOf(stages);
        split = List.copyOf(split);
    }
}
