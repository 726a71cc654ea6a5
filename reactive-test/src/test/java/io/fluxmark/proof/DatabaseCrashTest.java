package io.fluxmark.proof;

import static org.assertj.core.api.Assertions.assertThat;

import io.fluxmark.state.StoreTable;
import io.fluxmark.test.ChildJvm;
import io.fluxmark.test.RunningJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A process whose job writes into a database is killed at random instants; in the end the table is that of batch. */
class DatabaseCrashTest {

    private static final boolean THOROUGH =
            System.getProperty("fluxmark.tier", "small").equals("thorough");
    private static final int KILLS = THOROUGH ? 50 : 4;
    private static final int TICKS = 10_000;
    private static final int EVENTS = 25;
    private static final long SEED = 20_010_103;

    @TempDir
    Path directory;

    private int kills;
    private int waiting;

    @Test
    void aKilledJobLeavesTheTableOfAnUndisturbedOneInTheDatabase() throws IOException {
        Path filled = Files.createDirectory(directory.resolve("filled"));
        try (TopicJob job = TopicJob.open(filled)) {
            job.append(Tick.stream(TICKS, SEED));
        }
        Path undisturbed = copyOf(filled, "undisturbed");
        long span;
        try (RunningJvm child = child(undisturbed).start()) {
            child.awaitLine(CrashChild.BEGUN::equals, ProofJob.PATIENCE);
            long began = System.nanoTime();
            child.awaitLine(CrashChild.THROUGH::equals, ProofJob.PATIENCE);
            span = System.nanoTime() - began;
        }
        Map<String, String> expected = assertDatabaseIsTable(undisturbed);
        assertThat(expected).hasSizeGreaterThan(1_000);
        Random random = new Random(SEED);
        int round = 0;
        while (kills < KILLS) {
            Path place = copyOf(filled, "round" + round++);
            killUntilThrough(place, random, span);
            assertThat(assertDatabaseIsTable(place))
                    .as("rows after kills in %s", place)
                    .isEqualTo(expected);
        }
        System.out.printf(
                "database crashes: %d kills in %d rounds, %d of them with rows that the database was not known to have,"
                        + " %d rows, %d ms undisturbed, seed %d%n",
                kills, round, waiting, expected.size(), span / 1_000_000, SEED);
        assertThat(waiting).isPositive();
    }

    private void killUntilThrough(Path place, Random random, long span) {
        while (true) {
            try (RunningJvm child = child(place).start()) {
                child.awaitLine(CrashChild.BEGUN::equals, ProofJob.PATIENCE);
                // About five kills before the end.
                child.letRun(Duration.ofNanos(random.nextLong(2 * span / 5)));
                child.kill(ProofJob.PATIENCE);
                if (child.lines().contains(CrashChild.THROUGH)) {
                    return;
                }
                kills++;
            }
            try (DatabaseJob job = DatabaseJob.open(place)) {
                waiting += rowsThatWait(job) > 0 ? 1 : 0;
            }
        }
    }

    private static long rowsThatWait(DatabaseJob job) {
        return job.store().read(StoreTable.OUTBOX, new byte[0], null).count().block(ProofJob.PATIENCE);
    }

    /** The rows of both, which are the same. */
    private static Map<String, String> assertDatabaseIsTable(Path place) {
        try (DatabaseJob job = DatabaseJob.open(place)) {
            Map<String, String> rows = job.rows();
            assertThat(rows).isEqualTo(job.storedRows());
            assertThat(rowsThatWait(job)).isZero();
            return rows;
        }
    }

    private Path copyOf(Path filled, String name) throws IOException {
        Path copy = directory.resolve(name);
        try (var files = Files.walk(filled)) {
            for (Path file : files.toList()) {
                Files.copy(file, copy.resolve(filled.relativize(file).toString()));
            }
        }
        return copy;
    }

    private static ChildJvm child(Path place) {
        return ChildJvm.of(DatabaseCrashChild.class)
                .heap("128m")
                .option("-XX:TieredStopAtLevel=1")
                .args(place.toString(), "" + EVENTS);
    }
}
