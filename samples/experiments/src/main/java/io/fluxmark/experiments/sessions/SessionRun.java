package io.fluxmark.experiments.sessions;

import io.fluxmark.experiments.measure.Playback;
import io.fluxmark.experiments.measure.StateSamples;
import io.fluxmark.windows.Counters;
import io.fluxmark.windows.LiveCounters;
import io.fluxmark.windows.WindowSpec;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** One definition of sessions over so many keys, with state on the heap. */
final class SessionRun {

    private final OneShotKeys input;
    private final Playback<Long> playback = new Playback<>();
    private final StateSamples state;
    private @Nullable LiveCounters counters;
    private long results;
    private long most;

    private SessionRun(OneShotKeys input, long intervalMillis) {
        this.input = input;
        this.state = new StateSamples(Playback.START, intervalMillis);
    }

    /**
     * What a run has come to.
     *
     * @param state entries held, while keys came in
     * @param most entries held after any event that was watched closely
     * @param results that came out before the watermark passed everything
     * @param left entries that were still held after that
     */
    record Outcome(StateSamples state, long most, long results, long left, Counters counters) {}

    /**
     * Runs.
     *
     * @param keys how many come
     * @param intervalMillis between two samples, in event time
     * @param watchedFrom from this key on the entries are counted after every event
     * @param watchedTo up to this one, exclusive
     */
    static Outcome of(
            OneShotKeys input, WindowSpec windows, long keys, long intervalMillis, long watchedFrom, long watchedTo) {
        return new SessionRun(input, intervalMillis).run(windows, keys, watchedFrom, watchedTo);
    }

    private Outcome run(WindowSpec windows, long keys, long watchedFrom, long watchedTo) {
        playback.run(input.pipeline(playback, windows, live -> counters = live), result -> results++);
        for (long key = 0; key < keys; key++) {
            input.feed(playback, key);
            if (key >= watchedFrom && key < watchedTo) {
                most = Math.max(most, playback.stateEntries());
            }
            if (state.isDue(playback.now())) {
                state.add(playback.now(), playback.stateEntries());
                most = Math.max(most, state.most());
            }
        }
        long before = results;
        input.feed(playback, OneShotKeys.TICK);
        long left = playback.stateEntries();
        playback.end();
        return new Outcome(
                state,
                most,
                before,
                left,
                Objects.requireNonNull(counters, "counters").snapshot());
    }
}
