package io.fluxmark.windows;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Which entries of open windows are due for an early result (S40). With an interval, those that have changed since their
 * last emission are remembered by window and key; at the tick they are walked in the order of firing, under demand, and
 * each emits what it holds at that moment, so that a slow receiver gets the newest value and nothing queues.
 */
final class EarlyResults<K, A> {

    private record Place<K>(long start, K key) {}

    private final long everyCount;
    private final PaneStore<K, A> store;
    private final Comparator<Place<K>> order;
    private List<Place<K>> changed = new ArrayList<>();
    private List<Place<K>> walking = List.of();
    private int next;

    EarlyResults(Early when, PaneStore<K, A> store, Comparator<K> keys) {
        this.everyCount = when.everyCount();
        this.store = store;
        this.order = Comparator.<Place<K>>comparingLong(Place::start).thenComparing(Place::key, keys);
    }

    /** Notes a change of {@code entry}; true where its count makes an early result due now. */
    boolean isDue(PaneEntry<K, A> entry, long start) {
        if (everyCount > 0) {
            return entry.count % everyCount == 0;
        }
        if (!entry.awaitsEarly) {
            entry.awaitsEarly = true;
            changed.add(new Place<>(start, entry.key));
        }
        return false;
    }

    /** Whether there is anything for the next tick. */
    boolean awaits() {
        return !changed.isEmpty();
    }

    /** Forgets what has changed: nothing is open any more. */
    void clear() {
        changed.clear();
        walking = List.of();
        next = 0;
    }

    /** A tick: what has changed so far is to be walked, with what an earlier walk has left. */
    void begin() {
        changed.addAll(walking.subList(next, walking.size()));
        changed.sort(order);
        walking = changed;
        changed = new ArrayList<>();
        next = 0;
    }

    /** Emits until all is walked (true) or a run of results is full (false). */
    boolean proceed(Emission<K, A, ?> emission, WindowResults<K, ?> results) {
        while (next < walking.size()) {
            if (results.isFull()) {
                return false;
            }
            Place<K> place = walking.get(next++);
            Pane<K, A> pane = store.find(place.start());
            // What has fired meanwhile has emitted its last early result.
            if (pane != null && !Watermark.closes(results.watermark, pane.end()) && pane.find(place.key()) != null) {
                PaneEntry<K, A> entry = pane.update(place.key());
                emission.early(entry, new TimeWindow(pane.start(), pane.end()));
            }
        }
        walking = List.of();
        next = 0;
        return true;
    }
}
