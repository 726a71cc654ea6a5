package io.fluxmark.experiments.crash;

import static org.assertj.core.api.Assertions.assertThat;

import io.fluxmark.benchmarks.Workload;
import io.fluxmark.benchmarks.durable.DurableJob;
import io.fluxmark.benchmarks.durable.FilledLog;
import io.fluxmark.state.StoreSpec;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class VictimTest {

    private static final long EVENTS = 120_000;
    private static final Duration WINDOWS = Duration.ofSeconds(10);

    @TempDir
    private Path directory;

    @Test
    void aKilledJobTellsHowFarItHadReadAndTheNextOneBeginsAtTheCommitBefore() {
        FilledLog.in(directory.resolve(Victim.LOG), 1, Workload.TUMBLING.generator(), EVENTS)
                .close();
        try (Victim first = Victim.start(directory, WINDOWS, Victim.NEVER, EVENTS)) {
            assertThat(first.awaitBegin()).isZero();
            first.awaitReached();
            assertThat(first.kill()).isEqualTo(EVENTS);
        }
        try (Victim second = Victim.start(directory, WINDOWS, Victim.NEVER, EVENTS)) {
            assertThat(second.awaitBegin()).as("nothing was committed").isZero();
            second.awaitReached();
            second.kill();
        }
        try (FilledLog log = FilledLog.open(directory.resolve(Victim.LOG));
                DurableJob job = DurableJob.open(
                        directory.resolve(Victim.STORE),
                        log.events(),
                        Workload.TUMBLING.windows(),
                        StoreSpec.defaults())) {
            assertThat(job.runToEnd(Victim.checkpoints(Duration.ofSeconds(1)))).isEqualTo(EVENTS);
            assertThat(job.answer()).isEqualTo(Workload.TUMBLING.loop(EVENTS));
        }
    }
}
