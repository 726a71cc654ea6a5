package io.fluxmark.state;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/** The bounded queue in front of the store thread. Thread-safe. */
final class RequestQueue {

    private final int maxRequests;
    private final long maxBytes;
    private final ArrayDeque<StoreRequest> waiting = new ArrayDeque<>();
    private long bytes;

    RequestQueue(int maxRequests, long maxBytes) {
        this.maxRequests = maxRequests;
        this.maxBytes = maxBytes;
    }

    /** Appends the request, or gives false if it does not fit now. */
    synchronized boolean offer(StoreRequest request) {
        if (waiting.size() >= maxRequests || bytes + request.bytes() > maxBytes) {
            return false;
        }
        waiting.add(request);
        bytes += request.bytes();
        return true;
    }

    /** Takes what may share one commit: the oldest request and more while they stay below the given bytes. */
    synchronized List<StoreRequest> take(long groupBytes) {
        List<StoreRequest> group = new ArrayList<>();
        long taken = 0;
        StoreRequest next;
        while ((next = waiting.peek()) != null && (group.isEmpty() || taken + next.bytes() <= groupBytes)) {
            group.add(waiting.remove());
            taken += next.bytes();
        }
        bytes -= taken;
        return group;
    }

    synchronized List<StoreRequest> takeAll() {
        List<StoreRequest> all = List.copyOf(waiting);
        waiting.clear();
        bytes = 0;
        return all;
    }

    synchronized int size() {
        return waiting.size();
    }

    synchronized long bytes() {
        return bytes;
    }
}
