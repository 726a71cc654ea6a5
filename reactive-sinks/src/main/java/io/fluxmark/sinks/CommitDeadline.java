package io.fluxmark.sinks;

import io.fluxmark.windows.CheckpointSpec;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.scheduler.Scheduler;

/**
 * Watches the oldest transaction that has come to the end of a lane and is not durable: later ones can't become so before it.
 * At most two are there, one under way and one that waits for it. Thread-safe.
 */
final class CommitDeadline implements Disposable {

    /** A transaction and when its barrier came, in nanoseconds of the clock. */
    private record Arrival(long transaction, long nanos) {}

    private final @Nullable Duration limit;
    private final int tolerated;
    private final String lane;
    private final Scheduler clock;
    private final Consumer<? super CheckpointTimeoutException> onFailed;
    private final Deque<Arrival> arrivals = new ArrayDeque<>();
    private final Disposable.Swap timer = Disposables.swap();
    private int timeouts;

    /** For the lane that is called so. */
    CommitDeadline(CheckpointSpec spec, String lane, Consumer<? super CheckpointTimeoutException> onFailed) {
        this.limit = spec.timeout();
        this.tolerated = spec.toleratedTimeouts();
        this.lane = lane;
        this.clock = spec.scheduler();
        this.onFailed = onFailed;
    }

    /** The barrier of a transaction has come to the end of the lane. */
    synchronized void reached(long transaction) {
        if (limit != null) {
            arrivals.add(new Arrival(transaction, clock.now(TimeUnit.NANOSECONDS)));
            if (arrivals.size() == 1) {
                await(limit.toNanos());
            }
        }
    }

    /** The oldest transaction is durable. */
    synchronized void durable() {
        if (limit != null) {
            arrivals.poll();
            timeouts = 0;
            Arrival next = arrivals.peek();
            if (next == null) {
                timer.update(Disposables.disposed());
            } else {
                await(limit.toNanos() - (clock.now(TimeUnit.NANOSECONDS) - next.nanos()));
            }
        }
    }

    private void await(long nanos) {
        Arrival oldest = arrivals.element();
        // Not at once even where it is overdue: on the spot, its own next timer would be set before this one is.
        timer.update(clock.schedule(() -> onTimeout(oldest), Math.max(1, nanos), TimeUnit.NANOSECONDS));
    }

    private void onTimeout(Arrival late) {
        CheckpointTimeoutException failure = timeout(late);
        if (failure != null) {
            onFailed.accept(failure);
        }
    }

    private synchronized @Nullable CheckpointTimeoutException timeout(Arrival late) {
        Duration each = limit;
        Arrival oldest = arrivals.peek();
        if (each == null || oldest == null || oldest.transaction() != late.transaction()) {
            return null;
        }
        timeouts++;
        if (timeouts <= tolerated) {
            await(each.toNanos());
            return null;
        }
        return new CheckpointTimeoutException(lane, late.transaction(), each, timeouts);
    }

    /** Ends the watch. */
    @Override
    public void dispose() {
        timer.dispose();
    }
}
