package io.fluxmark.windows;

/**
 * What one checkpoint changes. Operators write into it while the barrier passes them; not thread-safe, confined to the
 * lane. The values are copied or never touched again by the caller.
 */
public interface StateTransaction {

    /** Rising within a lane. */
    long id();

    /** Records {@code values} under {@code operator} and {@code name}, replacing what was there; the array is copied. */
    void longs(String operator, String name, long[] values);

    /**
     * A part of this transaction that is written on another thread, confined to that one, until it is handed to {@link
     * #include}. What this one holds already is not in it.
     */
    default StateTransaction part() {
        return new LongsPart(id());
    }

    /** Adds what a part holds; the part must not be used any more. */
    default void include(StateTransaction part) {
        ((LongsPart) part).addTo(this);
    }
}
