package io.fluxmark.sinks;

import io.fluxmark.log.LogClosedException;
import io.fluxmark.log.LogOverloadedException;
import io.fluxmark.state.StaleGenerationException;
import io.fluxmark.state.StoreClosedException;
import io.fluxmark.state.StoreQueueFullException;
import io.fluxmark.state.StoreReopenedException;
import java.time.Duration;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.util.retry.Retry;
import reactor.util.retry.RetryBackoffSpec;

/**
 * When a job that has failed is worth another subscription, and how long to wait before it. Give it to {@code retryWhen}:
 *
 * <pre>{@code
 * job.retryWhen(JobRetry.backoff()).subscribe();
 * }</pre>
 *
 * <p>A retry subscribes anew, which is recovery: each lane goes on from what it has committed. What a function of one's own
 * throws, or a record that can't be read, would come again, and is not retried; see {@link
 * io.fluxmark.windows.EventFlux#writeTo}.
 */
public final class JobRetry {

    private static final int MOST_IN_A_ROW = 10;
    private static final Duration FIRST = Duration.ofMillis(100);
    private static final Duration LONGEST = Duration.ofSeconds(30);

    /** A chain of causes that is longer, or closed, is not gone through for ever. */
    private static final int DEEPEST = 16;

    private JobRetry() {}

    /**
     * Whether the same job, subscribed to again, may well run: the store has failed and opened itself again, a commit took too
     * long, or a queue had no room. Looks through causes. A store or a log that is closed, a newer session of the lane, and all other errors need
     * somebody's hand.
     */
    public static boolean isRetryable(Throwable failure) {
        Throwable each = failure;
        for (int depth = 0; depth < DEEPEST && each != null; depth++) {
            if (each instanceof StoreReopenedException
                    || each instanceof CheckpointTimeoutException
                    || each instanceof StoreQueueFullException
                    || each instanceof LogOverloadedException) {
                return true;
            }
            if (each instanceof StoreClosedException
                    || each instanceof LogClosedException
                    || each instanceof StaleGenerationException) {
                return false;
            }
            each = each.getCause();
        }
        return false;
    }

    /** {@link #backoff(Scheduler)} on {@link Schedulers#parallel()}. */
    public static RetryBackoffSpec backoff() {
        return backoff(Schedulers.parallel());
    }

    /**
     * Retries what {@link #isRetryable} says, up to ten times in a row, that is without a checkpoint in between: after 100 ms,
     * then twice as long each time up to 30 s, each by up to half shorter or longer. When that is through, the error is one
     * for which {@link reactor.core.Exceptions#isRetryExhausted} holds, with the last failure as its cause.
     *
     * <p>A copy with other errors is {@code backoff(s).modifyErrorFilter(f -> f.or(Mine.class::isInstance))}.
     *
     * @param scheduler where the waiting is done, and the job subscribed to again
     */
    public static RetryBackoffSpec backoff(Scheduler scheduler) {
        return Retry.backoff(MOST_IN_A_ROW, FIRST)
                .maxBackoff(LONGEST)
                .transientErrors(true)
                .scheduler(scheduler)
                .filter(JobRetry::isRetryable);
    }
}
