package io.fluxmark.benchmarks;

/** Count, sum and maximum of some values. */
final class Accumulator {

    long count;
    long sum;
    long max = Long.MIN_VALUE;

    void add(long value) {
        count++;
        sum += value;
        if (value > max) {
            max = value;
        }
    }

    void merge(Accumulator other) {
        count += other.count;
        sum += other.sum;
        max = Math.max(max, other.max);
    }
}
