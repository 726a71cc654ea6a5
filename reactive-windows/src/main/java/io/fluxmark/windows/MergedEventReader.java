package io.fluxmark.windows;

/**
 * Makes events of what a source emits that orders its partitions by event time. Confined to the lane: serial calls.
 *
 * @param <S> what the source reads
 * @param <T> the events
 */
public interface MergedEventReader<S, T> {

    /** Records have come, and are read from here on: the guard against far-future events moves with the clock. */
    void begin();

    /**
     * Reads a record; what is invalid comes back as an event all the same.
     *
     * @param partition its number, from 0
     */
    MergedEvent<T> read(int partition, S record);
}
