package io.fluxmark.experiments.measure;

import java.util.Arrays;

/** Values, and which of them a share of all does not exceed. */
public final class Quantiles {

    private static final int INITIAL = 1_024;

    private long[] values = new long[INITIAL];
    private int size;
    private boolean sorted = true;

    /** None yet. */
    public Quantiles() {}

    /** Adds a value. */
    public void add(long value) {
        if (size == values.length) {
            values = Arrays.copyOf(values, 2 * size);
        }
        values[size++] = value;
        sorted = false;
    }

    /** How many values there are. */
    public int size() {
        return size;
    }

    /**
     * The smallest value that at least this share of all does not exceed.
     *
     * @param share above 0 and up to 1
     */
    public long at(double share) {
        if (size == 0) {
            throw new IllegalStateException("there are no values");
        }
        if (!sorted) {
            Arrays.sort(values, 0, size);
            sorted = true;
        }
        return values[(int) Math.max(0, Math.ceil(share * size) - 1)];
    }
}
