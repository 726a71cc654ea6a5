package io.fluxmark.benchmarks;

/**
 * How much to measure.
 *
 * @param events per run, at least 1
 * @param warmups rounds that do not count, at least 1
 * @param rounds rounds that count, at least 3; in each round every contender runs once
 */
public record BenchOptions(long events, int warmups, int rounds) {

    private static final int LEAST_ROUNDS = 3;

    /** 20 M events, 1 warm-up, 5 rounds. */
    public static final BenchOptions DEFAULTS = new BenchOptions(20_000_000, 1, 5);

    /** Throws {@link IllegalArgumentException} for what can't be measured. */
    public BenchOptions {
        if (events < 1) {
            throw new IllegalArgumentException("--events is " + events + ": use 1 or more");
        }
        if (warmups < 1) {
            throw new IllegalArgumentException("--warmups is " + warmups + ": use 1 or more");
        }
        if (rounds < LEAST_ROUNDS) {
            throw new IllegalArgumentException("--rounds is " + rounds + ": use " + LEAST_ROUNDS + " or more");
        }
    }
}
