package io.fluxmark.test;

import io.fluxmark.windows.EventFlux;
import io.fluxmark.windows.LaneContext;
import io.fluxmark.windows.LateEvent;
import io.fluxmark.windows.StreamElement;
import java.util.function.Consumer;
import reactor.core.publisher.Flux;

/**
 * What one run of the pipeline under test is given.
 *
 * @param elements the events, without event time yet, in runs of one size, with a barrier behind each run; then the end
 *     of the stream and a last barrier
 * @param lane the lane that the operators live in
 * @param late takes what is past the allowed lateness, where the pipeline has a late output
 */
public record Trial<T>(Flux<StreamElement<T>> elements, LaneContext lane, Consumer<LateEvent<T>> late) {

    /** The elements as a pipeline to go on from. */
    public EventFlux<T> events() {
        return EventFlux.fromElements(elements);
    }
}
