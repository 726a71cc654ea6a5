package io.fluxmark.test;

import io.fluxmark.windows.TimeWindow;
import io.fluxmark.windows.WindowResult;
import java.util.ArrayList;
import java.util.List;

/** One window of one key, as plain lists of what it has taken in and of what its receiver holds. */
final class PlainPane<T, K, R> {

    final K key;
    final TimeWindow window;

    /** All events, and those that no emission has spoken of yet. */
    final List<T> events = new ArrayList<>();

    final List<T> untold = new ArrayList<>();

    /** How many of the events came after the window, or one that it has taken in, had fired. */
    long late;

    /** Whether the window has come to its end. */
    boolean fired;

    /** Of the last emission. */
    int revision = -1;

    /** What was emitted and not taken back, by start: at most one, but where windows were joined. */
    List<WindowResult<K, R>> held = new ArrayList<>();

    PlainPane(K key, TimeWindow window) {
        this.key = key;
        this.window = window;
    }

    void add(T event) {
        events.add(event);
        untold.add(event);
    }

    /** Takes in all that another has, but for what its receiver holds. */
    void add(PlainPane<T, K, R> other) {
        events.addAll(other.events);
        untold.addAll(other.untold);
        late += other.late;
    }

    /** Whether the receiver holds just {@code value}, of this window. */
    boolean shows(R value) {
        return held.size() == 1
                && held.get(0).window().equals(window)
                && held.get(0).value().equals(value);
    }
}
