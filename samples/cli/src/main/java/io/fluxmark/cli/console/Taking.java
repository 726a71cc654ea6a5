package io.fluxmark.cli.console;

import java.io.IOException;
import java.util.Iterator;
import java.util.stream.Stream;
import reactor.core.Exceptions;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Signal;

/** Hands what a stream brings to the calling thread. Stateless. */
public final class Taking {

    private Taking() {}

    /** What is done with each element. */
    @FunctionalInterface
    public interface Action<T> {
        /** Does it. */
        void accept(T element) throws IOException;
    }

    /**
     * Does something with each element, in order, and throws the error of the stream behind all that came before it. If the action
     * fails, the stream is cancelled.
     *
     * @param ahead how many may wait meanwhile
     */
    public static <T> void each(Flux<T> elements, int ahead, Action<T> action) throws IOException {
        // Materialized, because an error overtakes what waits otherwise.
        try (Stream<Signal<T>> signals = elements.materialize().toStream(ahead)) {
            for (Iterator<Signal<T>> each = signals.iterator(); each.hasNext(); ) {
                Signal<T> signal = each.next();
                T element = signal.get();
                Throwable error = signal.getThrowable();
                if (element != null) {
                    action.accept(element);
                } else if (error != null) {
                    throw Exceptions.propagate(error);
                }
            }
        }
    }
}
