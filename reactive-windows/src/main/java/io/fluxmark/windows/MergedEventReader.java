package io.fluxmark.windows;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Makes events of what a source emits that orders its partitions by event time. Serial calls.
 *
 * @param <S> what the source reads
 * @param <T> the events
 */
public interface MergedEventReader<S, T> {

    /** Another one that does the same, for another thread. */
    MergedEventReader<S, T> another();

    /** Records have come, and are read from here on: the guard against far-future events moves with the clock. */
    void begin();

    /** How far partitions may be apart; null where that plays no part. */
    default @Nullable Alignment alignment() {
        return null;
    }

    /**
     * Reads a record of a run; what is invalid comes back as an event all the same.
     *
     * @param partition its number, from 0
     * @param run the records that were read together, of which only this one is looked at
     * @param index its place there
     */
    MergedEvent<T> read(int partition, List<? extends S> run, int index);
}
