package io.fluxmark.windows;

import reactor.core.publisher.Flux;

/**
 * The end of a job: makes lanes of the definition, runs them, and commits what they produce.
 *
 * @param <T> what it takes
 */
public interface EventSink<T> {

    /** The job, cold; see {@link EventFlux#writeTo}. Assembly errors are thrown here. */
    Flux<Checkpoint> write(JobDefinition<? extends T> definition, CheckpointSpec spec);
}
