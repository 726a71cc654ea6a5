package io.fluxmark.test;

import io.fluxmark.windows.Counter;
import io.fluxmark.windows.TimeWindow;
import io.fluxmark.windows.WindowResult.Kind;
import io.fluxmark.windows.WindowSpec;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Count and global windows: one of each key at a time, for which nothing is late. */
final class EndlessLoop<T, K, A, R> extends WindowLoop<T, K, A, R> {

    private final Map<K, PlainPane<T, K, R>> open = new HashMap<>();

    EndlessLoop(WindowedPipeline<T, K, A, R> pipeline, Expectation<T, K, R> expectation) {
        super(pipeline, expectation);
    }

    @Override
    void add(T event, long timestamp) {
        K key = key(event);
        PlainPane<T, K, R> pane = extended(key, open.get(key), timestamp);
        open.put(key, pane);
        pane.add(event);
        expectation.accepted(event);
        expectation.count(Counter.ON_TIME, 1);
        expectation.count(Counter.ACCEPTED_ASSIGNMENTS, 1);
        if (windows.kind() == WindowSpec.Kind.COUNT && pane.events.size() == windows.sizeMillis()) {
            open.remove(key);
            emit(pane, Kind.ON_TIME);
        } else if (isDueEarly(pane, pane.events.size() - 1)) {
            emit(pane, Kind.EARLY);
        }
    }

    /** A count window spans the times of its events; in other bounds it is another window to its receiver. */
    private PlainPane<T, K, R> extended(K key, @Nullable PlainPane<T, K, R> before, long timestamp) {
        if (windows.kind() == WindowSpec.Kind.GLOBAL) {
            return before == null ? new PlainPane<>(key, new TimeWindow(Long.MIN_VALUE, Long.MAX_VALUE)) : before;
        }
        if (before == null) {
            return new PlainPane<>(key, new TimeWindow(timestamp, timestamp + 1));
        }
        TimeWindow span = new TimeWindow(
                Math.min(before.window.start(), timestamp), Math.max(before.window.end(), timestamp + 1));
        if (span.equals(before.window)) {
            return before;
        }
        PlainPane<T, K, R> grown = new PlainPane<>(key, span);
        grown.add(before);
        grown.held = before.held;
        return grown;
    }

    @Override
    void fire() {
        if (watermark == Long.MAX_VALUE) {
            open.values().stream().sorted(inOrder()).forEach(pane -> emit(pane, Kind.ON_TIME));
            open.clear();
        }
    }
}
