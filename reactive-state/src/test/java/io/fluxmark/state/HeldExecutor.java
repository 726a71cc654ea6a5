package io.fluxmark.state;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;

/** Runs tasks at once on the calling thread, or keeps them while it is held. */
final class HeldExecutor implements Executor {

    private final Queue<Runnable> kept = new ArrayDeque<>();
    private boolean held;

    @Override
    public void execute(Runnable task) {
        if (held) {
            kept.add(task);
        } else {
            task.run();
        }
    }

    void hold() {
        held = true;
    }

    void release() {
        held = false;
        while (!kept.isEmpty()) {
            kept.remove().run();
        }
    }
}
