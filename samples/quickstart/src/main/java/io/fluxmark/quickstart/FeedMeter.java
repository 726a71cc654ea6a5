package io.fluxmark.quickstart;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAccumulator;

/** What the feeder has got through so far. Thread-safe. */
final class FeedMeter {

    private final AtomicLong acknowledged = new AtomicLong();
    private final AtomicLong busy = new AtomicLong();
    private final LongAccumulator newestArrival = new LongAccumulator(Math::max, Long.MIN_VALUE);

    void acknowledged(int flights, long arrivalMillis) {
        acknowledged.addAndGet(flights);
        newestArrival.accumulate(arrivalMillis);
    }

    void busy() {
        busy.incrementAndGet();
    }

    /** Flights that this run has sent and that are durable. */
    long acknowledged() {
        return acknowledged.get();
    }

    /** How often the server was too busy and the request was sent again. */
    long busyAnswers() {
        return busy.get();
    }

    /** The arrival clock: the latest arrival time that is durable, epoch ms; {@link Long#MIN_VALUE} at first. */
    long newestArrivalMillis() {
        return newestArrival.get();
    }
}
