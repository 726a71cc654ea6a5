package io.fluxmark.benchmarks;

/** Adds up results, in any order, to an {@link Answer}. Not thread-safe. */
public final class Tally {

    private long results;
    private long checksum;
    private long valueChecksum;

    /** Adds the result of a window and key. */
    public void add(long key, long windowStart, long count, long sum, long max) {
        results++;
        checksum += key * 31 + windowStart + count;
        valueChecksum += sum + max;
    }

    /** What was added, with what was dropped as late. */
    public Answer answer(long lateDrops) {
        return new Answer(results, checksum, valueChecksum, lateDrops);
    }
}
