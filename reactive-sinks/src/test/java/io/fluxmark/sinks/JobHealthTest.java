package io.fluxmark.sinks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The rules by which a job is well or not. */
class JobHealthTest {

    private static final long NOW = 1_000_000;

    @TempDir
    Path directory;

    private int jobs;

    /** A job over one partition with so many records, of which it has committed none, a second between checkpoints. */
    private JobObservation job(
            int lag, JobState state, long checkpointAge, long restarts, @Nullable Throwable failure) {
        try (TickJob job = TickJob.open(directory.resolve("job" + jobs++), 1)) {
            for (int i = 0; i < lag; i++) {
                job.append("k@" + i);
            }
            JobObservation real =
                    JobMonitor.of(job.store, "job", job.topic.topic()).observe().block(TickJob.PATIENCE);
            CheckpointFigures figures =
                    CheckpointFigures.NONE.withCompleted(NOW - checkpointAge, Duration.ofMillis(3), 100, 1);
            return new JobObservation(
                    "job",
                    state,
                    NOW - 100_000,
                    NOW,
                    restarts,
                    failure,
                    Duration.ofSeconds(1),
                    figures,
                    real.lanes(),
                    real.store());
        }
    }

    @ParameterizedTest
    @CsvSource({
        "3, 5_000, UP",
        "3, 5_001, DEGRADED",
        "3, 60_000, DEGRADED",
        "3, 60_001, DOWN",
        "0, 60_001, UP",
    })
    void aJobThatHasSomethingToCommitAndDoesNotIsDegradedAndThenDown(int lag, String age, JobHealth.Status expected) {
        JobHealth health = job(lag, JobState.RUNNING, Long.parseLong(age.replace("_", "")), 0, null)
                .health();
        assertThat(health.status()).isEqualTo(expected);
        if (expected == JobHealth.Status.UP) {
            assertThat(health.reasons()).isEmpty();
        } else {
            assertThat(health.reasons())
                    .singleElement()
                    .asString()
                    .contains("no checkpoint for")
                    .contains("3 records to commit")
                    .contains("due after PT1S");
        }
    }

    @ParameterizedTest
    @CsvSource({"NOT_RUN, it has not been run", "COMPLETED, it was stopped", "CANCELLED, it was cancelled"})
    void aJobThatDoesNotRunAndIsNotFinishedIsDown(JobState state, String reason) {
        assertThat(job(0, state, 0, 0, null).health()).isEqualTo(new JobHealth(JobHealth.Status.DOWN, List.of(reason)));
    }

    @Test
    void aFailedJobSaysWithWhat() {
        assertThat(job(0, JobState.FAILED, 0, 0, new IllegalStateException("why"))
                        .health()
                        .reasons())
                .containsExactly("it has failed with java.lang.IllegalStateException: why");
    }

    @Test
    void aLagBeyondItsLimitDegradesAndReasonsAddUp() {
        JobObservation job = job(3, JobState.RUNNING, 100_001, 2, new IllegalStateException("why"));
        JobHealth health = job.health(HealthRules.defaults().withMaxLag(2));
        assertThat(health.status()).isEqualTo(JobHealth.Status.DOWN);
        assertThat(health.reasons())
                .containsExactly(
                        "no checkpoint for PT1M40S with 3 records to commit, and one was due after PT1S",
                        "3 records are not committed, more than 2",
                        "it has failed with java.lang.IllegalStateException: why and come to no checkpoint since it"
                                + " began again");
        assertThat(job(3, JobState.RUNNING, 0, 0, null)
                        .health(HealthRules.defaults().withMaxLag(3))
                        .status())
                .isEqualTo(JobHealth.Status.UP);
    }

    @Test
    void rulesThatMakeNoSenseAreRefused() {
        assertThatThrownBy(() -> new HealthRules(0, 60, 1)).hasMessageContaining("0 and 60");
        assertThatThrownBy(() -> new HealthRules(5, 5, 1)).hasMessageContaining("5 and 5");
        assertThatThrownBy(() -> HealthRules.defaults().withMaxLag(-1)).hasMessageContaining("-1");
    }
}
