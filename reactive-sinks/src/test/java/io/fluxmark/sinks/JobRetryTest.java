package io.fluxmark.sinks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.fluxmark.log.LogClosedException;
import io.fluxmark.state.LaneSession;
import io.fluxmark.state.StaleGenerationException;
import io.fluxmark.state.StateStoreException;
import io.fluxmark.state.StoreClosedException;
import io.fluxmark.state.StoreTable;
import io.fluxmark.windows.CheckpointSpec;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Mono;

/** Which failures are not worth a retry; those that are, and how often, is shown with a store that fails. */
class JobRetryTest {

    @TempDir
    Path directory;

    @Test
    void whatIsClosedAndANewerSessionAreNotRetried() {
        Throwable stale;
        Throwable closedStore;
        Throwable closedLog;
        try (TickJob job = TickJob.open(directory, 1)) {
            LaneSession session = job.store.openLane("job", 0).block(TickJob.PATIENCE);
            job.store.openLane("job", 0).block(TickJob.PATIENCE);
            stale = catchThrowable(() -> session.get(StoreTable.STATE, new byte[1]));
            job.store.close();
            closedStore = catchThrowable(() -> job.store.openLane("job", 0).block(TickJob.PATIENCE));
            job.log.close();
            closedLog = catchThrowable(() -> job.append("k@1"));
        }
        assertThat(stale).isInstanceOf(StaleGenerationException.class);
        assertThat(closedStore).isInstanceOf(StoreClosedException.class);
        assertThat(closedLog).isInstanceOf(LogClosedException.class);
        for (Throwable each : new Throwable[] {
            stale, closedStore, closedLog, new IllegalStateException(stale), new StateStoreException("else")
        }) {
            assertThat(JobRetry.isRetryable(each)).as("%s", each).isFalse();
        }
    }

    @Test
    void aCommitThatTookTooLongIsRetriedAlsoAsACause() {
        Throwable late = new CheckpointTimeoutException("lane 0 of job", 3, Duration.ofSeconds(1), 2);
        assertThat(JobRetry.isRetryable(late)).isTrue();
        assertThat(JobRetry.isRetryable(new IllegalStateException("wrapped", late)))
                .isTrue();
    }

    @Test
    void aChainOfCausesThatIsClosedHasAnAnswer() {
        RuntimeException one = new RuntimeException("one");
        one.initCause(new RuntimeException("two", one));
        assertThat(JobRetry.isRetryable(one)).isFalse();
    }

    @Test
    void aFunctionThatFailsIsNotRetriedUnlessItsUserSaysSo() {
        AtomicInteger tries = new AtomicInteger();
        try (TickJob job = TickJob.open(directory, 1)) {
            job.before = events -> events.filter(tick -> {
                if (tries.incrementAndGet() < 3) {
                    throw new IllegalArgumentException("on purpose");
                }
                return true;
            });
            job.append("k@1");
            CheckpointSpec spec = CheckpointSpec.everyEvents(1).named("job").drainWhen(Mono.empty());
            assertThat(catchThrowable(() -> job.run(job.table("counts"), spec)
                            .retryWhen(JobRetry.backoff())
                            .blockLast(TickJob.PATIENCE)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("on purpose");
            assertThat(tries).hasValue(1);
            job.run(job.table("counts"), spec)
                    .retryWhen(JobRetry.backoff()
                            .modifyErrorFilter(known -> known.or(IllegalArgumentException.class::isInstance)))
                    .blockLast(TickJob.PATIENCE);
            assertThat(tries).hasValue(3);
        }
    }
}
