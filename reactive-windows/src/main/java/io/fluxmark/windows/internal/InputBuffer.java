package io.fluxmark.windows.internal;

import java.util.Queue;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Operators;
import reactor.util.concurrent.Queues;
import reactor.util.context.Context;

/**
 * The inputs that wait for a drain loop, in order of arrival. Most come from whatever thread the upstream runs on, through
 * a queue. Those that the drain loop's own thread brings, while it asks an upstream that answers on the spot, lie in a
 * plain ring: no atomic operation is spent on them.
 *
 * <p>What is in the ring is always older than what is in the queue: the ring is added to only while the queue is empty.
 *
 * @param <I> the inputs
 */
final class InputBuffer<I> {

    private static final int LARGEST_RING = 256;

    private final Queue<I> queue;

    /** A power of two long; the drain loop's own. */
    private final @Nullable Object[] ring;

    private int head;
    private int tail;

    /** @param capacity the most inputs that wait, at least 1 */
    InputBuffer(int capacity) {
        queue = Queues.<I>get(capacity).get();
        int slots = 1;
        while (slots < capacity && slots < LARGEST_RING) {
            slots *= 2;
        }
        ring = new Object[slots];
    }

    /** Adds an input from the upstream's thread; false when the queue is full. */
    boolean offer(I input) {
        return queue.offer(input);
    }

    /** Adds an input from the thread that is in the drain loop; false when the queue is full. */
    boolean offerFromDrain(I input) {
        if (tail - head == ring.length || !queue.isEmpty()) {
            return queue.offer(input);
        }
        ring[tail++ & (ring.length - 1)] = input;
        return true;
    }

    /** The next input, or null; in the drain loop only. */
    @SuppressWarnings("unchecked") // only inputs are ever put in
    @Nullable
    I poll() {
        if (head == tail) {
            return queue.poll();
        }
        int slot = head++ & (ring.length - 1);
        I input = (I) ring[slot];
        ring[slot] = null;
        return input;
    }

    /** What {@link #poll} would return. */
    @SuppressWarnings("unchecked") // only inputs are ever put in
    @Nullable
    I peek() {
        return head == tail ? queue.peek() : (I) ring[head & (ring.length - 1)];
    }

    /** Whether nothing waits; exact in the drain loop, else a guess. */
    boolean isEmpty() {
        return head == tail && queue.isEmpty();
    }

    /** How many inputs wait; exact in the drain loop, else a guess. */
    int size() {
        return tail - head + queue.size();
    }

    /**
     * Discards what waits; in the drain loop only.
     *
     * @param contents what a discard hook is given of an input
     */
    void discard(Context context, Function<I, Stream<?>> contents) {
        for (I input = poll(); input != null; input = poll()) {
            Operators.onDiscardMultiple(contents.apply(input), context);
        }
    }
}
