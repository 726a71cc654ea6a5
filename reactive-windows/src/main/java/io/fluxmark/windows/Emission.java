package io.fluxmark.windows;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How an entry that has emitted emits again: revisions, retractions, and what of its accumulator a value is made of.
 *
 * <p>Two ways of knowing what was emitted. {@link #beforeLate} and {@link #afterLate} stand around the change of a window
 * that emits every change: the accumulator before it is the stored form of the last emission. {@link #early}, {@link
 * #onTime} and {@link #late} are for windows with early results, whose emitted value is kept in the entry.
 */
final class Emission<K, A, R> {

    private final Accumulation accumulation;
    private final boolean finalMarker;
    private final Aggregation<?, A, R> aggregation;
    private final LiveCounters counters;
    private final WindowResults<K, R> results;

    /** Between {@link #beforeLate} and {@link #afterLate}. */
    private @Nullable R old;

    private int oldRevision;

    Emission(WindowSpec windows, Aggregation<?, A, R> aggregation, LiveCounters counters, WindowResults<K, R> results) {
        this.accumulation = windows.accumulation();
        this.finalMarker = windows.hasFinalMarker();
        this.aggregation = aggregation;
        this.counters = counters;
        this.results = results;
    }

    /** A late event is about to change {@code entry}. */
    void beforeLate(PaneEntry<K, A> entry) {
        boolean live = entry.count > 0;
        old = live ? value(entry) : null;
        oldRevision = live ? Math.max(0, entry.revision) : entry.revision;
        if (accumulation == Accumulation.DISCARD) {
            old = null;
            entry.accumulator = aggregation.create();
        }
    }

    /** A late event has changed {@code entry}. */
    void afterLate(PaneEntry<K, A> entry, TimeWindow window) {
        R before = old;
        old = null;
        corrected(entry, window, before, entry.count == 0 ? null : value(entry), oldRevision);
    }

    /**
     * A late event has changed the value of {@code entry}.
     *
     * @param before the value that was emitted last, null for none
     * @param value the value now, null for none
     * @param revision the revision before the change
     */
    void corrected(PaneEntry<K, A> entry, TimeWindow window, @Nullable R before, @Nullable R value, int revision) {
        long lateBefore = entry.late++;
        entry.revision = revision;
        if (before != null && before.equals(value)) {
            counters.add(Counter.UNCHANGED, 1);
            return;
        }
        if (before != null && accumulation == Accumulation.RETRACT) {
            results.emit(entry.key, window, before, WindowResult.Kind.RETRACT, revision, lateBefore);
        }
        if (value != null) {
            entry.revision++;
            results.emit(entry.key, window, value, WindowResult.Kind.LATE, entry.revision, entry.late);
        }
    }

    /** The value so far of an open window. */
    void early(PaneEntry<K, A> entry, TimeWindow window) {
        entry.awaitsEarly = false;
        emitChange(entry, window, WindowResult.Kind.EARLY, entry.late);
    }

    /** The value of a window that closes. */
    void onTime(PaneEntry<K, A> entry, TimeWindow window) {
        entry.awaitsEarly = false;
        emitChange(entry, window, WindowResult.Kind.ON_TIME, entry.late);
    }

    /** The value of a window that has closed before, which a late event has changed. */
    void late(PaneEntry<K, A> entry, TimeWindow window) {
        long lateBefore = entry.late++;
        emitChange(entry, window, WindowResult.Kind.LATE, lateBefore);
    }

    private void emitChange(PaneEntry<K, A> entry, TimeWindow window, WindowResult.Kind kind, long lateBefore) {
        R value = entry.count == 0 ? null : value(entry);
        @SuppressWarnings("unchecked") // set below
        R before = (R) entry.emitted;
        boolean marked = kind == WindowResult.Kind.ON_TIME && (finalMarker || accumulation != Accumulation.RETRACT);
        if (accumulation != Accumulation.DISCARD && !marked && Objects.equals(before, value)) {
            if (kind == WindowResult.Kind.LATE) {
                counters.add(Counter.UNCHANGED, 1);
            }
            return;
        }
        if (before != null && accumulation == Accumulation.RETRACT) {
            results.emit(entry.key, window, before, WindowResult.Kind.RETRACT, entry.revision, lateBefore);
        }
        entry.emitted = null;
        if (value != null) {
            entry.revision++;
            results.emit(entry.key, window, value, kind, entry.revision, entry.late);
            if (accumulation == Accumulation.DISCARD) {
                entry.accumulator = aggregation.create();
            } else {
                entry.emitted = value;
            }
        }
    }

    private R value(PaneEntry<K, A> entry) {
        return Objects.requireNonNull(
                aggregation.result(Objects.requireNonNull(entry.accumulator, "accumulator")),
                "the aggregation's result");
    }
}
