package io.fluxmark.windows;

import org.jspecify.annotations.Nullable;

/**
 * An event of one of two streams that are joined: exactly one of the two is there.
 *
 * @param <L> the events of the left stream
 * @param <R> the events of the right stream
 */
record JoinEvent<L, R>(@Nullable L left, @Nullable R right) {

    static <L, R> JoinEvent<L, R> ofLeft(L left) {
        return new JoinEvent<>(left, null);
    }

    static <L, R> JoinEvent<L, R> ofRight(R right) {
        return new JoinEvent<>(null, right);
    }

    @Override
    public String toString() {
        return left == null ? "right " + right : "left " + left;
    }
}
