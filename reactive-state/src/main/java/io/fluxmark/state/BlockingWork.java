package io.fluxmark.state;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import reactor.core.publisher.Mono;

/** Work on files as a Mono, done on the subscribing thread; once it is cancelled, how it ends is told to nobody. */
final class BlockingWork {

    private BlockingWork() {}

    /** What is done. */
    interface Work<T> {

        /** @param cancelled looked at in between, by what takes long */
        T run(BooleanSupplier cancelled) throws IOException;
    }

    static <T> Mono<T> of(String what, Work<T> work) {
        return Mono.create(sink -> {
            AtomicBoolean cancelled = new AtomicBoolean();
            sink.onCancel(() -> cancelled.set(true));
            try {
                sink.success(work.run(cancelled::get));
            } catch (Throwable e) {
                // Cancelling may interrupt the thread too, so what fails then may be anything.
                if (!cancelled.get()) {
                    sink.error(e instanceof IOException ? new StateStoreException(what + "; see the cause", e) : e);
                }
            }
        });
    }
}
