package io.fluxmark.test;

import io.fluxmark.windows.TimeWindow;
import io.fluxmark.windows.WindowResult;
import io.fluxmark.windows.WindowSpec;

/** Which windows a definition can have, and at which time their results stand. */
final class WindowShape {

    private final WindowSpec windows;
    private final boolean endless;

    WindowShape(WindowSpec windows) {
        this.windows = windows;
        this.endless = windows.kind() == WindowSpec.Kind.COUNT || windows.kind() == WindowSpec.Kind.GLOBAL;
    }

    /**
     * Throws for a result whose window there is not, or that carries another time than its window's last instant. What no
     * watermark closes may carry a later one.
     */
    void check(WindowResult<?, ?> result, long timestamp) {
        TimeWindow window = result.window();
        if (!exists(window)) {
            throw new RuleViolation(
                    "S02, S05: a window that " + windows + " does not have", "got " + window + " in " + result);
        }
        if (endless ? timestamp < earliest(window) : timestamp != window.end() - 1) {
            throw new RuleViolation(
                    "S46: a result carries the last instant of its window",
                    "expected timestamp " + (window.end() - 1) + ", got " + timestamp + ": " + result);
        }
    }

    private long earliest(TimeWindow window) {
        return windows.kind() == WindowSpec.Kind.COUNT ? window.end() - 1 : Long.MIN_VALUE;
    }

    private boolean exists(TimeWindow window) {
        return switch (windows.kind()) {
            case TUMBLING, SLIDING ->
                window.end() - window.start() == windows.sizeMillis()
                        && Math.floorMod(window.start() - windows.offsetMillis(), windows.slideMillis()) == 0;
            case CALENDAR -> windows.windowsOf(window.start()).contains(window);
            case SESSION, COUNT -> window.end() > window.start();
            case GLOBAL -> window.start() == Long.MIN_VALUE && window.end() == Long.MAX_VALUE;
        };
    }
}
