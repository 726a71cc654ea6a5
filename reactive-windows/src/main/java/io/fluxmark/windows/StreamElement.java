package io.fluxmark.windows;

/**
 * What flows between operators: runs of events and, in band and in order with them, control elements.
 *
 * <p>One unit of Reactive Streams demand is one element, whichever its kind. The order of elements is their meaning:
 * a watermark says something about what follows it, a barrier divides what is in a checkpoint from what is not.
 *
 * <p>Parts and outputs of lanes are internal: they flow between a split by key and who gathers the lanes again, and nowhere else.
 *
 * @param <T> the type of the events; control elements carry it as a phantom
 */
public sealed interface StreamElement<T> permits EventBatch, Watermark, Idle, CheckpointBarrier, LanePart, LaneOutput {}
