package io.fluxmark.http;

import java.time.Duration;
import java.util.Objects;

/**
 * What the edge accepts at most. Immutable: each method returns a changed copy.
 *
 * @param maxBodyBytes bytes of a request body, 1 KiB to 1 GiB; more is answered 413, while it arrives
 * @param maxLineBytes bytes of one event, 64 to 1 GiB; more is answered 413 naming the line
 * @param maxEvents events of a body, at least 1; more is answered 413
 * @param maxBodies request bodies held at once while they arrive, at least 1: beyond it requests are answered 503, so arriving
 *     bodies take no more heap than the product of the two
 * @param bodyTimeout the time a body may take to arrive, positive; longer is answered 408
 * @param retryAfter what a 503 tells the client to wait when nothing better is known, positive, rounded up to seconds
 */
public record HttpLimits(
        int maxBodyBytes, int maxLineBytes, int maxEvents, int maxBodies, Duration bodyTimeout, Duration retryAfter) {

    private static final int GIB = 1 << 30;

    public HttpLimits {
        within("maxBodyBytes", maxBodyBytes, 1 << 10, GIB);
        within("maxLineBytes", maxLineBytes, 64, GIB);
        within("maxEvents", maxEvents, 1, Integer.MAX_VALUE);
        within("maxBodies", maxBodies, 1, Integer.MAX_VALUE);
        positive("bodyTimeout", bodyTimeout);
        positive("retryAfter", retryAfter);
    }

    /** Bodies of 8 MiB and 10,000 events, lines of 1 MiB, 64 bodies at once, each within 30 s; retry after 1 s. */
    public static HttpLimits defaults() {
        return new HttpLimits(8 << 20, 1 << 20, 10_000, 64, Duration.ofSeconds(30), Duration.ofSeconds(1));
    }

    /** These limits with other {@link #maxBodyBytes}. */
    public HttpLimits withMaxBodyBytes(int value) {
        return new HttpLimits(value, maxLineBytes, maxEvents, maxBodies, bodyTimeout, retryAfter);
    }

    /** These limits with other {@link #maxLineBytes}. */
    public HttpLimits withMaxLineBytes(int value) {
        return new HttpLimits(maxBodyBytes, value, maxEvents, maxBodies, bodyTimeout, retryAfter);
    }

    /** These limits with other {@link #maxEvents}. */
    public HttpLimits withMaxEvents(int value) {
        return new HttpLimits(maxBodyBytes, maxLineBytes, value, maxBodies, bodyTimeout, retryAfter);
    }

    /** These limits with other {@link #maxBodies}. */
    public HttpLimits withMaxBodies(int value) {
        return new HttpLimits(maxBodyBytes, maxLineBytes, maxEvents, value, bodyTimeout, retryAfter);
    }

    /** These limits with another {@link #bodyTimeout}. */
    public HttpLimits withBodyTimeout(Duration value) {
        return new HttpLimits(maxBodyBytes, maxLineBytes, maxEvents, maxBodies, value, retryAfter);
    }

    /** These limits with another {@link #retryAfter}. */
    public HttpLimits withRetryAfter(Duration value) {
        return new HttpLimits(maxBodyBytes, maxLineBytes, maxEvents, maxBodies, bodyTimeout, value);
    }

    private static void within(String name, int value, int min, int max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(name + " must be between " + min + " and " + max + " but was " + value);
        }
    }

    private static void positive(String name, Duration value) {
        Objects.requireNonNull(value, name);
        if (value.isNegative() || value.isZero()) {
            throw new IllegalArgumentException(name + " must be positive but was " + value);
        }
    }
}
