package io.fluxmark.sinks;

import io.fluxmark.windows.TimeWindow;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Which rows of a table a query is about. Immutable: each method returns a changed copy.
 *
 * @param <K> the type of the keys
 */
public final class RowSelection<K> {

    private static final TimeWindow EVER = new TimeWindow(Long.MIN_VALUE, Long.MAX_VALUE);

    private final @Nullable K key;
    private final @Nullable TimeWindow window;
    private final TimeWindow within;

    private RowSelection(@Nullable K key, @Nullable TimeWindow window, TimeWindow within) {
        this.key = key;
        this.window = window;
        this.within = within;
    }

    /** All rows. */
    public static <K> RowSelection<K> all() {
        return new RowSelection<>(null, null, EVER);
    }

    /** All windows of a key. Costs in proportion to the windows in the span it is narrowed to, not to their rows. */
    public static <K> RowSelection<K> key(K key) {
        return new RowSelection<>(Objects.requireNonNull(key, "key"), null, EVER);
    }

    /** All keys of a window. */
    public static <K> RowSelection<K> window(TimeWindow window) {
        return new RowSelection<>(null, Objects.requireNonNull(window, "window"), EVER);
    }

    /** The row of a key and a window. */
    public static <K> RowSelection<K> row(K key, TimeWindow window) {
        return new RowSelection<>(Objects.requireNonNull(key, "key"), Objects.requireNonNull(window, "window"), EVER);
    }

    /**
     * Only windows that lie within a span of time as a whole.
     *
     * @param from where they may start, inclusive
     * @param to where they may end: a window that ends there is in
     */
    public RowSelection<K> within(Instant from, Instant to) {
        if (!from.isBefore(to)) {
            throw new IllegalArgumentException("the span from " + from + " to " + to + " is empty; from is before to");
        }
        return new RowSelection<>(key, window, new TimeWindow(from.toEpochMilli(), to.toEpochMilli()));
    }

    @Nullable
    K key() {
        return key;
    }

    @Nullable
    TimeWindow window() {
        return window;
    }

    TimeWindow within() {
        return within;
    }

    boolean covers(TimeWindow asked) {
        return asked.start() >= within.start() && asked.end() <= within.end();
    }
}
