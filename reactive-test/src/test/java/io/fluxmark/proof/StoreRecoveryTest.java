package io.fluxmark.proof;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fluxmark.log.Durability;
import io.fluxmark.log.EventLog;
import io.fluxmark.log.LogSpec;
import io.fluxmark.log.Retention;
import io.fluxmark.log.Topic;
import io.fluxmark.log.TopicSpec;
import io.fluxmark.sinks.JobSavepoints;
import io.fluxmark.sinks.RecoveredStore;
import io.fluxmark.sinks.RecoveredStore.Origin;
import io.fluxmark.sinks.SavepointSource;
import io.fluxmark.sinks.StoreRecovery;
import io.fluxmark.sinks.StoreUnrecoverableException;
import io.fluxmark.state.SavepointSpec;
import io.fluxmark.state.StateStore;
import io.fluxmark.state.StateStoreException;
import io.fluxmark.state.StoreLockedException;
import io.fluxmark.state.StoreSpec;
import io.fluxmark.windows.CheckpointSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Mono;

/** A store whose file is damaged is brought back from the log or a savepoint, or an error says why not. */
class StoreRecoveryTest {

    private static final int TICKS = 400;
    private static final List<Tick> ALL = Tick.stream(TICKS, 8);
    private static final CheckpointSpec SPEC = CheckpointSpec.everyEvents(25);

    @TempDir
    Path directory;

    private Path state;
    private EventLog log;

    @BeforeEach
    void open() {
        state = directory.resolve("state");
        log = openLog("log");
    }

    @AfterEach
    void close() {
        log.close();
    }

    private EventLog openLog(String name) {
        return EventLog.open(
                        directory.resolve(name),
                        LogSpec.defaults().durability(Durability.OS).segmentBytes(1024))
                .block(ProofJob.PATIENCE);
    }

    private Topic topic() {
        return log.createTopic(
                        ProofJob.TOPIC,
                        TopicSpec.partitions(ProofJob.PARTITIONS)
                                .retention(Retention.forever().maxBytes(1)))
                .block(ProofJob.PATIENCE);
    }

    private StoreRecovery recovery() {
        return StoreRecovery.of(state, StoreSpec.defaults()).job(ProofJob.NAME, topic());
    }

    /** Has the job read the first ticks, stop, and leave the store closed. */
    private void runUpTo(int ticks) {
        topic();
        try (StateStore store = StateStore.open(state).block(ProofJob.PATIENCE)) {
            ProofJob job = ProofJob.of(log, store);
            job.append(ALL.subList(0, ticks));
            job.run(SPEC.orEvery(Duration.ofMillis(20)))
                    .takeUntil(checkpoint -> CrashCheck.committed(job) == ticks)
                    .blockLast(ProofJob.PATIENCE);
        }
    }

    private void assertDrainsRight(RecoveredStore recovered) {
        try (StateStore store = recovered.store()) {
            ProofJob job = ProofJob.of(log, store);
            job.append(ALL);
            job.run(SPEC.drainWhen(Mono.empty())).blockLast(ProofJob.PATIENCE);
            CrashCheck.Report report = CrashCheck.verify(job, store);
            assertThat(report.finished()).isTrue();
            assertThat(report.committed()).isEqualTo(TICKS);
        }
    }

    private Path file() {
        return state.resolve("state.mv");
    }

    /** Both headers gone: H2 refuses such a file. */
    private void destroy() throws IOException {
        byte[] bytes = Files.readAllBytes(file());
        Arrays.fill(bytes, 0, 8192, (byte) 0);
        Files.write(file(), bytes);
        assertThatThrownBy(() -> StateStore.open(state).block(ProofJob.PATIENCE))
                .isInstanceOf(StateStoreException.class);
    }

    @Test
    void aSoundStoreIsOpenedAsItIs() {
        runUpTo(200);
        RecoveredStore recovered = recovery().verifying().open().block(ProofJob.PATIENCE);
        assertThat(recovered.origin()).isEqualTo(Origin.OWN_FILE);
        assertThat(recovered.setAside()).isNull();
        assertDrainsRight(recovered);
    }

    @Test
    void aDamagedStoreIsSetAsideAndRebuiltFromAWholeLog() throws IOException {
        runUpTo(200);
        destroy();
        byte[] damaged = Files.readAllBytes(file());
        RecoveredStore recovered = recovery().open().block(ProofJob.PATIENCE);
        assertThat(recovered.origin()).isEqualTo(Origin.EMPTY);
        assertThat(recovered.setAside()).isEqualTo(state.resolve("state.mv.damaged-1"));
        assertThat(Files.readAllBytes(recovered.setAside())).isEqualTo(damaged);
        assertDrainsRight(recovered);
        destroy();
        RecoveredStore again = recovery().open().block(ProofJob.PATIENCE);
        assertThat(again.setAside()).isEqualTo(state.resolve("state.mv.damaged-2"));
        assertDrainsRight(again);
    }

    @Test
    void anEntryWithAWrongChecksumIsDamageToo() throws IOException {
        runUpTo(200);
        byte[] bytes = Files.readAllBytes(file());
        int flipped = 0;
        // Every place of a value that occurs in rows of the changelog; pages carry no checksum of their own.
        for (int i = 8192; i + 8 < bytes.length; i++) {
            if (bytes[i] == 'k' && bytes[i + 1] >= '0' && bytes[i + 1] <= '9') {
                bytes[i + 1] ^= 1;
                flipped++;
            }
        }
        assertThat(flipped).isPositive();
        Files.write(file(), bytes);
        RecoveredStore recovered = recovery().verifying().open().block(ProofJob.PATIENCE);
        assertThat(recovered.origin()).isEqualTo(Origin.EMPTY);
        assertDrainsRight(recovered);
    }

    @Test
    void aShortenedLogIsNoWholeLogAndTheErrorNamesBothOffsets() throws IOException {
        runUpTo(200);
        log.enforceRetention().block(ProofJob.PATIENCE);
        long begin = topic().partition(0).beginOffset();
        assertThat(begin).isPositive();
        destroy();
        byte[] damaged = Files.readAllBytes(file());
        assertThatThrownBy(() -> recovery().open().block(ProofJob.PATIENCE))
                .isInstanceOf(StoreUnrecoverableException.class)
                .hasMessageContaining("from offset 0 again")
                .hasMessageContaining("begins at offset " + begin)
                .hasMessageContaining("savepoint");
        assertThat(Files.readAllBytes(file())).as("the damaged file stays").isEqualTo(damaged);
    }

    @Test
    void fromAShortenedLogTheNewestSavepointBringsItBack() throws IOException {
        runUpTo(100);
        Path savepoint = Files.copy(file(), directory.resolve("savepoint"));
        log.enforceRetention().block(ProofJob.PATIENCE);
        assertThat(topic().partition(0).beginOffset()).isPositive();
        runUpTo(200);
        destroy();
        RecoveredStore recovered =
                recovery().savepoints(copyOf(savepoint)).open().block(ProofJob.PATIENCE);
        assertThat(recovered.origin()).isEqualTo(Origin.SAVEPOINT);
        assertThat(recovered.setAside()).exists();
        try (StateStore store = recovered.store()) {
            ProofJob job = ProofJob.of(log, store);
            assertThat(CrashCheck.committed(job)).isEqualTo(100);
            job.append(ALL);
            job.run(SPEC.drainWhen(Mono.empty())).blockLast(ProofJob.PATIENCE);
            assertThat(CrashCheck.committed(job)).isEqualTo(TICKS);
        }
    }

    @Test
    void aSavepointThatTheLogDoesNotFollowIsRefusedNamingBothOffsets() throws IOException {
        runUpTo(100);
        Path savepoint = Files.copy(file(), directory.resolve("savepoint"));
        runUpTo(300);
        log.enforceRetention().block(ProofJob.PATIENCE);
        destroy();
        assertThatThrownBy(() -> recovery().savepoints(copyOf(savepoint)).open().block(ProofJob.PATIENCE))
                .isInstanceOf(StoreUnrecoverableException.class)
                .hasMessageContaining("the newest savepoint")
                .hasMessageMatching("(?s).*goes on at offset \\d+ of partition \\d.*log has offsets \\d+ to \\d+.*");
        assertThat(state.resolve("state.mv.damaged-1")).exists();
        assertThat(file()).doesNotExist();
        assertThatThrownBy(() ->
                        recovery().savepoints(place -> Mono.just(false)).open().block(ProofJob.PATIENCE))
                .as("an empty store in front of a log that begins later")
                .isInstanceOf(StoreUnrecoverableException.class);
    }

    @Test
    void theNewestSavepointOfADirectoryIsFound() throws IOException {
        Path savepoints = directory.resolve("savepoints");
        for (int number = 1; number <= 2; number++) {
            runUpTo(number * 50);
            try (StateStore store = StateStore.open(state).block(ProofJob.PATIENCE)) {
                JobSavepoints.take(store, savepoints, SavepointSpec.named("s" + number))
                        .block(ProofJob.PATIENCE);
            }
        }
        log.enforceRetention().block(ProofJob.PATIENCE);
        runUpTo(200);
        destroy();
        RecoveredStore recovered =
                recovery().savepoints(SavepointSource.in(savepoints)).open().block(ProofJob.PATIENCE);
        assertThat(recovered.origin()).isEqualTo(Origin.SAVEPOINT);
        try (StateStore store = recovered.store()) {
            assertThat(CrashCheck.committed(ProofJob.of(log, store))).isEqualTo(100);
        }
        assertThat(SavepointSource.in(directory.resolve("none"))
                        .restoreNewest(directory.resolve("elsewhere"))
                        .block(ProofJob.PATIENCE))
                .isFalse();
    }

    private SavepointSource copyOf(Path savepoint) {
        return place -> Mono.fromCallable(() -> {
            Files.copy(savepoint, place.resolve("state.mv"), StandardCopyOption.COPY_ATTRIBUTES);
            return true;
        });
    }

    @Test
    void whatIsNoDamageIsLeftAlone() throws IOException {
        runUpTo(100);
        try (StateStore held = StateStore.open(state).block(ProofJob.PATIENCE)) {
            assertThat(held).isNotNull();
            assertThatThrownBy(() -> recovery().open().block(ProofJob.PATIENCE))
                    .isInstanceOf(StoreLockedException.class);
        }
        assertThat(state.resolve("state.mv.damaged-1")).doesNotExist();
        assertThatThrownBy(() -> StoreRecovery.of(state, StoreSpec.defaults()).open())
                .hasMessageContaining("StoreRecovery.job");
    }

    @Test
    void c85ACommittedOffsetBehindTheEndOfTheLogIsAnErrorThatNamesBothAndTheRemedy() {
        runUpTo(200);
        log.close();
        log = openLog("another");
        topic();
        try (StateStore store = StateStore.open(state).block(ProofJob.PATIENCE)) {
            ProofJob job = ProofJob.of(log, store);
            job.append(ALL.subList(0, 8));
            long end = topic().partition(0).endOffset();
            assertThatThrownBy(() -> job.run(SPEC).blockLast(ProofJob.PATIENCE))
                    .hasMessageMatching(
                            "job proof has committed offset \\d+ of partition 0 of ticks, and the log ends at " + end
                                    + ": the log was lost or replaced; restore it, or run the job under a new name");
        }
        assertThatThrownBy(() -> recovery().open().block(ProofJob.PATIENCE))
                .isInstanceOf(StoreUnrecoverableException.class)
                .hasMessageContaining("log has offsets 0 to ");
    }
}
