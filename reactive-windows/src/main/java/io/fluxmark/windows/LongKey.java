package io.fluxmark.windows;

import java.util.Objects;
import java.util.function.Function;
import java.util.function.ToLongFunction;

/** A key that is a long, which need not become an object to be looked up. */
record LongKey<T>(ToLongFunction<? super T> function) implements Function<T, Long> {

    LongKey {
        Objects.requireNonNull(function, "key");
    }

    @Override
    public Long apply(T event) {
        return function.applyAsLong(event);
    }
}
