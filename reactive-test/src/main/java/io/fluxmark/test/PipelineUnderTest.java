package io.fluxmark.test;

import io.fluxmark.windows.StreamElement;
import io.fluxmark.windows.WindowResult;
import reactor.core.publisher.Flux;

/**
 * How the pipeline under test is made, where it is not made from the definition: an own operator in place of one of
 * ours, or a defect on purpose.
 *
 * @param <T> the events
 * @param <K> the key
 * @param <R> the result
 */
@FunctionalInterface
public interface PipelineUnderTest<T, K, R> {

    /** The output for one trial; it passes barriers on, in order, and completes when the trial's elements do. */
    Flux<StreamElement<WindowResult<K, R>>> elements(Trial<T> trial);
}
