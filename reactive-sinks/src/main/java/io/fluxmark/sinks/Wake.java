package io.fluxmark.sinks;

import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;

/** Lets one subscriber at a time wait for a condition that others bring about. Thread-safe. */
final class Wake {

    private final AtomicReference<@Nullable MonoSink<Void>> waiting = new AtomicReference<>();

    /** To be called when the condition may have come. */
    void wake() {
        MonoSink<Void> sink = waiting.getAndSet(null);
        if (sink != null) {
            sink.success();
        }
    }

    /** Completes when {@link #wake} is called, at once where the condition holds; on the thread that brings it about. */
    Mono<Void> until(BooleanSupplier condition) {
        return Mono.create(sink -> {
            sink.onDispose(() -> waiting.compareAndSet(sink, null));
            waiting.set(sink);
            // Looked at after the place is taken: what comes in between finds the sink.
            if (condition.getAsBoolean()) {
                wake();
            }
        });
    }
}
