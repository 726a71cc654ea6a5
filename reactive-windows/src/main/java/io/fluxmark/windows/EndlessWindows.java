package io.fluxmark.windows;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Windows that the watermark does not close: count windows, which their last event closes, and global ones. There is one
 * for each key at a time, none of their events is late, and what is incomplete fires at the end of the stream.
 *
 * <p>A time-to-live or a ceiling closes windows before: those whose newest event is the oldest go first.
 */
final class EndlessWindows<T, K, A, R> extends KeyWindows<T, K, A, R> {

    private static final TimeWindow ALL_TIME = new TimeWindow(Long.MIN_VALUE, Long.MAX_VALUE);

    /** How much time the buckets of the index share where no time-to-live tells. */
    private static final long SPAN = 60_000;

    private final boolean global;

    /** The number of events that completes a window. */
    private final long complete;

    private Pane.@Nullable Walk<K, LiveWindows<K, A>> ending;
    private final List<PaneEntry<K, LiveWindows<K, A>>> page = new ArrayList<>();

    EndlessWindows(
            WindowDefinition<T, K, A, R> definition,
            LaneContext lane,
            LiveCounters counters,
            WindowResults<K, R> results) {
        super(
                definition,
                lane,
                counters,
                results,
                Math.max(SPAN, definition.windows().timeToLiveMillis()),
                KeySet::new);
        this.global = windows.kind() == WindowSpec.Kind.GLOBAL;
        this.complete = global ? Long.MAX_VALUE : windows.sizeMillis();
    }

    @Override
    long closing(LiveWindow<A> window) {
        return Watermark.END;
    }

    @Override
    void add(EventBatch<T> run, int i) {
        T event = run.value(i);
        long timestamp = run.timestamp(i);
        int sign = run.sign(i);
        requireAddition(event, sign);
        K key = key(event);
        if (isFull() && state.find(key) == null && !makeRoom()) {
            reject(event, timestamp, List.of(global ? ALL_TIME : new TimeWindow(timestamp, timestamp + 1)));
            return;
        }
        LiveWindows<K, A> ofKey = state.update(key);
        LiveWindow<A> window = ofKey.newest();
        long bound = lowerBound(ofKey);
        if (window == null) {
            window = ofKey.insert(null, begin(key, timestamp));
        }
        extend(window, timestamp);
        addTo(window, event, timestamp);
        countOnTime();
        if (window.count >= complete) {
            emission.onTime(key, window);
            state.open--;
            forget(ofKey, window);
        } else if (timeToLive > 0 && Watermark.reaches(results.watermark, deadline(window))) {
            close(ofKey, window);
        } else {
            noteEarly(ofKey, window, window.count - 1);
            fileBefore(bound, ofKey);
        }
    }

    private LiveWindow<A> begin(K key, long timestamp) {
        lane.checkKey(key);
        state.live++;
        state.open++;
        A accumulator = aggregation.create();
        return global
                ? new LiveWindow<>(ALL_TIME.start(), ALL_TIME.end(), timestamp, accumulator)
                : new LiveWindow<>(timestamp, timestamp + 1, timestamp, accumulator);
    }

    /** The bounds of a count window are those of its events; other bounds are another window to the receiver. */
    private void extend(LiveWindow<A> window, long timestamp) {
        long start = Math.min(window.start, timestamp);
        long end = Math.max(window.end, timestamp + 1);
        if (start != window.start || end != window.end) {
            window.start = start;
            window.end = end;
            window.revision = -1;
        }
    }

    @Override
    boolean isDue(long watermark) {
        return watermark == Watermark.END || (timeToLive > 0 && super.isDue(watermark));
    }

    /** At the end everything fires, and nothing is written any more: the state goes as a whole. */
    @Override
    boolean collect() {
        if (results.watermark != Watermark.END) {
            return super.collect();
        }
        Pane.Walk<K, LiveWindows<K, A>> walk = ending;
        if (walk == null) {
            walk = state.walk();
            ending = walk;
        }
        boolean found = walk.next(page, EventBatch.MAX_SIZE);
        // Global windows have the same bounds, so that the order of keys is that of firing; others have to be sorted.
        boolean more = found && !global;
        while (more) {
            more = walk.next(page, EventBatch.MAX_SIZE);
        }
        for (PaneEntry<K, LiveWindows<K, A>> entry : page) {
            LiveWindows<K, A> ofKey = Objects.requireNonNull(entry.accumulator, "windows");
            ofKey.key = entry.key;
            gatherAtEnd(ofKey);
        }
        page.clear();
        sortGathered();
        return found;
    }

    @Override
    @Nullable
    TimeWindow next() {
        return global && state.live > 0 ? ALL_TIME : null;
    }
}
