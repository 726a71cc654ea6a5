package io.fluxmark.benchmarks;

import java.util.function.LongFunction;

/**
 * Something to measure.
 *
 * @param name how it is shown
 * @param body runs over a number of events and says what came out; on the calling thread alone
 */
public record Contender(String name, LongFunction<Object> body) {}
