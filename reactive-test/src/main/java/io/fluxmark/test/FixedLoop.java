package io.fluxmark.test;

import io.fluxmark.windows.Counter;
import io.fluxmark.windows.PlainBatch.Assigned;
import io.fluxmark.windows.PlainBatch.Slot;
import io.fluxmark.windows.TimeWindow;
import io.fluxmark.windows.WindowResult.Kind;
import io.fluxmark.windows.WindowSpec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Tumbling, sliding and calendar windows. Each window of an event is judged for itself: the event is late for one from
 * {@code end - 1 + lateness} on (S11, S13).
 */
final class FixedLoop<T, K, A, R> extends WindowLoop<T, K, A, R> {

    private final Map<Slot<K>, PlainPane<T, K, R>> panes = new HashMap<>();

    FixedLoop(WindowedPipeline<T, K, A, R> pipeline, Expectation<T, K, R> expectation) {
        super(pipeline, expectation);
    }

    private List<TimeWindow> windowsOf(long timestamp) {
        if (windows.kind() == WindowSpec.Kind.CALENDAR) {
            return windows.windowsOf(timestamp); // the calendar is the definition itself
        }
        long size = windows.sizeMillis();
        long slide = windows.slideMillis();
        List<TimeWindow> all = new ArrayList<>();
        long n = Math.floorDiv(timestamp - size - windows.offsetMillis(), slide);
        for (long start = windows.offsetMillis() + n * slide; start <= timestamp; start += slide) {
            if (start + size > timestamp) {
                all.add(new TimeWindow(start, start + size));
            }
        }
        return all;
    }

    private boolean expires(TimeWindow window) {
        long last = window.end() - 1;
        long expiry = last + windows.allowedLatenessMillis();
        return watermark >= (expiry < last ? Long.MAX_VALUE : expiry);
    }

    @Override
    void add(T event, long timestamp) {
        List<TimeWindow> all = windowsOf(timestamp);
        List<TimeWindow> accepted =
                all.stream().filter(window -> !expires(window)).toList();
        if (all.isEmpty()) {
            expectation.count(Counter.UNASSIGNED, 1);
        } else if (accepted.isEmpty()) {
            reject(event, timestamp, all);
        } else {
            int missed = all.size() - accepted.size();
            expectation.count(Counter.ACCEPTED_ASSIGNMENTS, accepted.size());
            expectation.count(Counter.LATE_ASSIGNMENTS, missed);
            expectation.count(Counter.PARTIAL, missed > 0 ? 1 : 0);
            expectation.count(accepted.stream().anyMatch(this::closes) ? Counter.REFIRED : Counter.ON_TIME, 1);
            accepted.forEach(window -> addTo(window, event));
        }
    }

    private void addTo(TimeWindow window, T event) {
        K key = key(event);
        PlainPane<T, K, R> pane = panes.computeIfAbsent(new Slot<>(key, window), slot -> new PlainPane<>(key, window));
        expectation.assigned(new Assigned<>(event, window));
        pane.add(event);
        if (closes(window)) {
            pane.fired = true;
            pane.late++;
            emit(pane, Kind.LATE);
        } else if (isDueEarly(pane, pane.events.size() - 1)) {
            emit(pane, Kind.EARLY);
        }
    }

    @Override
    void fire() {
        panes.values().stream()
                .filter(pane -> !pane.fired && closes(pane.window))
                .sorted(inOrder())
                .forEach(pane -> {
                    pane.fired = true;
                    emit(pane, Kind.ON_TIME);
                });
    }
}
