package io.fluxmark.windows;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes events of what a source emits. Called once for each event, in order, on the lane's thread; what it throws makes the
 * event invalid, not the job. Stateless, or of one lane.
 *
 * @param <S> what the source emits
 * @param <T> the events
 */
@FunctionalInterface
public interface EventDecoder<S, T> {

    /** The event in what a source has emitted; null makes it invalid. */
    @Nullable
    T decode(S source);

    /**
     * The same of one place of a run. Worth overriding where a run holds something from which an event can be made with less
     * work than it takes to get what {@link #decode} needs.
     */
    default @Nullable T decodeAt(List<? extends S> run, int index) {
        return decode(run.get(index));
    }
}
