package io.fluxmark.log;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What the writer shows to readers: the segments, the visible tail, and who wants to know when it moves. Published by the writer
 * thread, read by any.
 */
final class PartitionView {

    private final String logDirectory;
    private final String topic;
    private final int id;
    private final SegmentList segments;
    /** As many as there are subscribers. */
    private final Set<TailListener> listeners = ConcurrentHashMap.newKeySet();

    private volatile Tail tail;
    private volatile long durableEnd;
    private volatile boolean closed;

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
        return closed;
    }

    LogClosedException closedException() {
        return new LogClosedException(logDirectory);
    }

    void publishDurableEnd(long end) {
        durableEnd = end;
    }

    void publishTail(Tail newTail) {
        tail = newTail;
    }

    void publishClosed() {
        closed = true;
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

    /** To be called after each publication, away from the writer thread: schedulers may run what they are given at once. */
    void wakeListeners() {
        for (TailListener listener : listeners) {
            listener.onTailMoved();
        }
    }
}
