package io.fluxmark.windows;

import java.util.ArrayDeque;

/** How to take back what one call of a user's function has changed. Confined to the lane. */
final class UndoLog {

    private final ArrayDeque<Runnable> steps = new ArrayDeque<>();
    private boolean open;

    /** Whether changes are to be remembered. */
    boolean isOpen() {
        return open;
    }

    /** From now on they are. */
    void begin() {
        open = true;
    }

    /** Remembers how to take back the change that comes next. */
    void add(Runnable step) {
        steps.push(step);
    }

    /** What was changed stays. */
    void keep() {
        open = false;
        steps.clear();
    }

    /** Takes everything back, the last change first. */
    void takeBack() {
        open = false;
        for (Runnable step = steps.poll(); step != null; step = steps.poll()) {
            step.run();
        }
    }
}
