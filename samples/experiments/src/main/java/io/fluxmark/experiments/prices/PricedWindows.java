package io.fluxmark.experiments.prices;

import io.fluxmark.benchmarks.Workload;
import io.fluxmark.windows.Ceiling;
import io.fluxmark.windows.WindowSpec;
import java.time.Duration;
import java.time.ZoneOffset;

/** The windows whose price is measured, over the usual generator: 10 events per ms of event time. */
enum PricedWindows {
    TUMBLING("tumbling 10 s", 10_000_000),
    SLIDING("sliding 10 s by 2 s", 10_000_000),
    SLIDING_STATES("sliding 10 s by 2 s: " + PricedWindows.STATES, 5_000_000),
    LONG("sliding 60 s by 1 s", 2_000_000),
    LONG_STATES("sliding 60 s by 1 s: " + PricedWindows.STATES, 2_000_000),
    SESSION("session 5 s", 5_000_000),
    DAY("calendar day", 10_000_000),
    COUNT("count 100", 5_000_000),
    GLOBAL("global", 5_000_000);

    /** What the labels of windows that share nothing end in; next to the others they would fill the plot. */
    static final String STATES = "a state per window";

    private static final int COUNTED = 100;

    final String label;
    private final long events;

    PricedWindows(String label, long events) {
        this.label = label;
        this.events = events;
    }

    private WindowSpec windows() {
        return switch (this) {
            case TUMBLING -> WindowSpec.tumbling(Duration.ofSeconds(10));
            case SLIDING -> sliding(10, 2);
            case SLIDING_STATES -> statePerWindow(sliding(10, 2));
            case LONG -> sliding(60, 1);
            case LONG_STATES -> statePerWindow(sliding(60, 1));
            case SESSION -> WindowSpec.session(Duration.ofSeconds(5));
            case DAY -> WindowSpec.days(ZoneOffset.UTC);
            case COUNT -> WindowSpec.count(COUNTED);
            case GLOBAL -> WindowSpec.global();
        };
    }

    private static WindowSpec sliding(int seconds, int slideSeconds) {
        return WindowSpec.sliding(Duration.ofSeconds(seconds), Duration.ofSeconds(slideSeconds));
    }

    /** A ceiling counts states, and so wants one for each key of each window. */
    private static WindowSpec statePerWindow(WindowSpec windows) {
        return windows.ceiling(new Ceiling(Long.MAX_VALUE, Ceiling.Policy.FAIL));
    }

    /** How many events are taken, of which the full measurement takes {@code scale} times as many as this says. */
    long events(double scale) {
        return Math.max(1, (long) (events * scale));
    }

    /** Runs; what came out can be compared with equals. */
    Object run(long count) {
        Workload workload = this == SESSION ? Workload.SESSION : Workload.TUMBLING;
        return workload.pipeline(windows(), count);
    }
}
