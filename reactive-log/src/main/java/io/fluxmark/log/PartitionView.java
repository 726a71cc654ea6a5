package io.fluxmark.log;

import java.io.IOException;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What the writer shows to readers: the segments, the visible tail, and who wants to know when it moves. Published by the writer
 * thread, read by any. Where the writer is another process, {@link StoredPartitionView} takes its place.
 */
class PartitionView {

    private final String logDirectory;
    private final String topic;
    private final int id;
    private final SegmentList segments;
    /** As many as there are subscribers. */
    private final Set<TailListener> listeners = ConcurrentHashMap.newKeySet();

    /** What cursors hold. */
    private final LongAdder buffered = new LongAdder();

    private volatile Tail tail;
    private volatile long durableEnd;
    private volatile @Nullable Supplier<RuntimeException> closed;

    PartitionView(String logDirectory, String topic, int id, SegmentList segments, Tail tail) {
        this.logDirectory = logDirectory;
        this.topic = topic;
        this.id = id;
        this.segments = segments;
        this.tail = tail;
        this.durableEnd = tail.offset();
    }

    String topic() {
        return topic;
    }

    int id() {
        return id;
    }

    /** How messages call it. */
    String name() {
        return "partition " + topic + "/" + id;
    }

    SegmentList segments() {
        return segments;
    }

    Tail tail() {
        return tail;
    }

    long durableEnd() {
        return durableEnd;
    }

    boolean isClosed() {
        return closed != null;
    }

    /** Why it is closed, once it is. */
    RuntimeException closedException() {
        Supplier<RuntimeException> why = closed;
        return why == null ? new LogClosedException(logDirectory) : why.get();
    }

    /** Looks at the files again and answers whether they are other ones now: never if the writer is this process. */
    boolean refresh() throws IOException {
        return false;
    }

    void publishDurableEnd(long end) {
        durableEnd = end;
    }

    void publishTail(Tail newTail) {
        tail = newTail;
    }

    void publishClosed() {
        publishClosed(() -> new LogClosedException(logDirectory));
    }

    void publishClosed(Supplier<RuntimeException> why) {
        closed = why;
    }

    void add(TailListener listener) {
        listeners.add(listener);
    }

    void remove(TailListener listener) {
        listeners.remove(listener);
    }

    int listeners() {
        return listeners.size();
    }

    /** Counts the bytes that cursors hold in buffers. */
    LongAdder buffered() {
        return buffered;
    }

    /** To be called after each publication, away from the writer thread: schedulers may run what they are given at once. */
    void wakeListeners() {
        for (TailListener listener : listeners) {
            listener.onTailMoved();
        }
    }
}
