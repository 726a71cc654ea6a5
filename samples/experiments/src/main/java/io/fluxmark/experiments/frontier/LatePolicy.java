package io.fluxmark.experiments.frontier;

import java.time.Duration;

/**
 * What becomes of events that come after their window has fired.
 *
 * @param name drop, side or re-fire
 * @param lateness for how long they correct it
 * @param side whether those after that go to a late output
 */
record LatePolicy(String name, Duration lateness, boolean side) {

    static final LatePolicy DROP = new LatePolicy("drop", Duration.ZERO, false);
    static final LatePolicy SIDE = new LatePolicy("side", Duration.ZERO, true);

    static LatePolicy refire(Duration lateness) {
        return new LatePolicy("re-fire", lateness, false);
    }
}
