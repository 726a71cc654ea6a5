package io.fluxmark.log;

import java.util.function.Consumer;

/** What the writer thread is asked to do. */
sealed interface LogCommand permits AppendRequest, ForceRequest, LogCommand.Control {

    /** Ends the command without having done it. */
    void refuse(RuntimeException why);

    /** Anything else: runs between two groups of appends, on the writer thread. Must not throw. */
    record Control(Runnable action, Consumer<RuntimeException> refused) implements LogCommand {

        @Override
        public void refuse(RuntimeException why) {
            refused.accept(why);
        }
    }
}
