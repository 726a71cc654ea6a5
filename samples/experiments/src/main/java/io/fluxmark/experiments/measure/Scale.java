package io.fluxmark.experiments.measure;

/** How much is measured. */
public enum Scale {
    /** What the predictions speak of. */
    FULL,
    /** Seconds, to see that everything works: the figures are rough. */
    QUICK;

    /** {@code full} or {@code quick}. */
    public <N> N of(N full, N quick) {
        return this == FULL ? full : quick;
    }
}
