package io.fluxmark.windows.internal;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import reactor.core.publisher.Mono;

/** Questions that an operator answers in its drain loop, where nothing else touches its state. */
final class Questions {

    /** More are waiting only when the drain loop is stuck in somebody's code. */
    static final int MOST = 1_024;

    private final Queue<Runnable> waiting = new ConcurrentLinkedQueue<>();
    private final AtomicInteger count = new AtomicInteger();

    /** Thread-safe. */
    <A> Mono<A> ask(Supplier<? extends A> answer, Runnable wake) {
        return Mono.create(sink -> {
            if (count.incrementAndGet() > MOST) {
                count.decrementAndGet();
                sink.error(new IllegalStateException(MOST
                        + " questions wait for an answer already: the lane is blocked; ask less often, and find out"
                        + " what blocks it"));
                return;
            }
            waiting.add(() -> {
                A answered;
                try {
                    answered = answer.get();
                } catch (RuntimeException e) {
                    sink.error(e); // a question never ends the stream that it is about
                    return;
                }
                sink.success(answered);
            });
            wake.run();
        });
    }

    /** Answers what waits; in the drain loop only. */
    void answer() {
        while (count.get() > 0) {
            Runnable question = waiting.poll();
            if (question == null) {
                return; // counted and not yet added: whoever adds it wakes the loop
            }
            count.decrementAndGet();
            question.run();
        }
    }
}
