package io.fluxmark.proof;

import static org.assertj.core.api.Assertions.assertThat;

import io.fluxmark.log.EventLog;
import io.fluxmark.log.LogSpec;
import io.fluxmark.sinks.RecoveredStore;
import io.fluxmark.sinks.StoreRecovery;
import io.fluxmark.state.StateStore;
import io.fluxmark.state.StateStoreException;
import io.fluxmark.state.StoreSpec;
import io.fluxmark.windows.CheckpointSpec;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Mono;

/**
 * C77 through a job: the end of the store's file is gone, or zeros are there instead. The store comes back at an older commit,
 * from where the log gives the same result, or does not open and is rebuilt to the same result.
 */
class StoreTailJobTest {

    private static final int STEP = 4 << 10;
    private static final int MOST = 64 << 10;
    private static final int TICKS = 800;
    private static final int NEW_TICKS = 50;
    private static final int MOST_ATTEMPTS = 50;
    private static final long SEED = 7_704;

    @TempDir
    Path directory;

    private int same;
    private int older;
    private int rebuilt;

    @Test
    void replayBehindADamagedTailGivesTheSameResult() throws IOException {
        Path base = Files.createDirectory(directory.resolve("base"));
        Machine.Image whole = newestAtTheEnd(base);
        byte[] file = whole.files().get(base.resolve("state.mv"));
        assertThat(file.length).isGreaterThan(2 * MOST);
        for (int lost = STEP; lost <= MOST; lost += STEP) {
            goOn(base, whole, Arrays.copyOf(file, file.length - lost), lost + " bytes cut");
            byte[] zeroed = file.clone();
            Arrays.fill(zeroed, file.length - lost, file.length, (byte) 0);
            goOn(base, whole, zeroed, lost + " bytes zeroed");
        }
        System.out.printf(
                "store tails under a job: %d damages, %d lost nothing, %d came back at an older commit, %d were"
                        + " rebuilt, file of %d KiB, seed %d%n",
                2 * MOST / STEP, same, older, rebuilt, file.length >> 10, SEED);
        assertThat(older).isPositive();
    }

    /**
     * A machine whose store has what it committed last at the end of its file: how commits are grouped, and so where there was
     * room for the last one, is up to the threads.
     */
    private Machine.Image newestAtTheEnd(Path base) throws IOException {
        for (int attempt = 0; attempt < MOST_ATTEMPTS; attempt++) {
            Machine machine = new Machine();
            Machine.Image whole;
            try (ProofJob job = open(base, machine)) {
                job.append(Tick.stream(TICKS, SEED));
                job.run(CheckpointSpec.everyEvents(10).stopWhen(stopped(job))).blockLast(ProofJob.PATIENCE);
                whole = machine.image();
            } finally {
                MachineFilePath.unmount(base);
            }
            if (losesACommit(base, whole)) {
                return whole;
            }
        }
        throw new AssertionError("no store of " + MOST_ATTEMPTS + " had its newest commit at the end of its file");
    }

    private boolean losesACommit(Path base, Machine.Image whole) throws IOException {
        byte[] file = Objects.requireNonNull(whole.files().get(base.resolve("state.mv")));
        Path place = Files.createTempDirectory(directory, "looked-at");
        Machine machine = new Machine(whole.with(base.resolve("state.mv"), Arrays.copyOf(file, file.length - MOST))
                .moved(base, place));
        try (ProofJob job = open(place, machine)) {
            long committed = CrashCheck.verify(job, job.store()).committed();
            return committed > 0 && committed < TICKS;
        } catch (StateStoreException e) {
            return false;
        } finally {
            MachineFilePath.unmount(place);
        }
    }

    /** When everything is committed. */
    private static Mono<Void> stopped(ProofJob job) {
        return job.store()
                .commits()
                .filter(commit -> CrashCheck.committed(job) == TICKS)
                .next()
                .then();
    }

    private void goOn(Path base, Machine.Image whole, byte[] file, String damage) throws IOException {
        Path place = Files.createTempDirectory(directory, "damaged");
        Machine machine = new Machine(whole.with(base.resolve("state.mv"), file).moved(base, place));
        try (ProofJob job = openOrRebuild(place, machine)) {
            long committed = CrashCheck.verify(job, job.store()).committed();
            same += committed == TICKS ? 1 : 0;
            older += committed > 0 && committed < TICKS ? 1 : 0;
            job.append(Tick.stream(TICKS + NEW_TICKS, SEED));
            job.run(CheckpointSpec.everyEvents(25).drainWhen(Mono.empty())).blockLast(ProofJob.PATIENCE);
            CrashCheck.Report end = CrashCheck.verify(job, job.store());
            assertThat(end.finished()).as(damage).isTrue();
            assertThat(end.committed()).as(damage).isEqualTo(TICKS + NEW_TICKS);
        } catch (AssertionError | RuntimeException e) {
            throw new AssertionError(damage + ": " + e.getMessage(), e);
        } finally {
            MachineFilePath.unmount(place);
        }
    }

    private ProofJob openOrRebuild(Path place, Machine machine) {
        try {
            return open(place, machine);
        } catch (StateStoreException e) {
            assertThat(e).hasMessageContaining(place.toString());
            EventLog log = log(place, machine);
            RecoveredStore recovered = StoreRecovery.of(place, spec(place, machine))
                    .job(ProofJob.NAME, log.topic(ProofJob.TOPIC))
                    .open()
                    .block(ProofJob.PATIENCE);
            assertThat(recovered.origin()).isEqualTo(RecoveredStore.Origin.EMPTY);
            rebuilt++;
            return ProofJob.of(log, recovered.store());
        }
    }

    private static ProofJob open(Path place, Machine machine) {
        StateStore store = StateStore.open(place, spec(place, machine)).block(ProofJob.PATIENCE);
        return ProofJob.of(log(place, machine), store);
    }

    private static EventLog log(Path place, Machine machine) {
        return EventLog.open(place.resolve("log"), LogSpec.defaults().storage(machine))
                .block(ProofJob.PATIENCE);
    }

    private static StoreSpec spec(Path place, Machine machine) {
        return MachineFilePath.mount(StoreSpec.defaults(), place, machine);
    }
}
