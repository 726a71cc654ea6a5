package io.fluxmark.experiments.sessions;

import io.fluxmark.experiments.measure.Playback;
import io.fluxmark.windows.Aggregations;
import io.fluxmark.windows.EventFlux;
import io.fluxmark.windows.LiveCounters;
import io.fluxmark.windows.WatermarkSpec;
import io.fluxmark.windows.WindowResult;
import io.fluxmark.windows.WindowSpec;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * New keys, each with one event: the event is the number of its key.
 *
 * @param perSecond how many come in a second of event time
 */
record OneShotKeys(int perSecond) {

    /** What the prediction is about. */
    static final int PREDICTED_PER_SECOND = 10_000;

    /** So long that no session closes by itself while keys come in. */
    static final Duration GAP = Duration.ofHours(3);

    static final Duration DELAY = Duration.ofSeconds(5);

    /** An event of no key, behind all sessions: it moves the watermark and is filtered out. */
    static final long TICK = -1;

    private static final long SECOND = 1_000;

    long time(long key) {
        return Playback.START + (key == TICK ? 3 * GAP.toMillis() : key * SECOND / perSecond);
    }

    /** Hands in one key after the other at its time. */
    void feed(Playback<Long> playback, long key) {
        playback.event(time(key), key);
    }

    static WindowSpec sessions() {
        return WindowSpec.session(GAP);
    }

    EventFlux<WindowResult<Long, Long>> pipeline(
            Playback<Long> playback, WindowSpec windows, Consumer<LiveCounters> counters) {
        return playback.events()
                .watermarksMillis(
                        this::time,
                        WatermarkSpec.boundedOutOfOrderness(DELAY).onFarFuture(WatermarkSpec.FarFuture.TRUST))
                .filter(key -> key != TICK)
                .keyBy(key -> key)
                .window(windows)
                .countersTo(counters)
                .aggregate(Aggregations.counting());
    }
}
