package io.fluxmark.proof;

import static org.assertj.core.api.Assertions.assertThat;

import io.fluxmark.log.EventLog;
import io.fluxmark.state.StateStore;
import io.fluxmark.test.ChildJvm;
import io.fluxmark.test.RunningJvm;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A firing that is many times larger than the heap, killed at random points. */
class LargeFiringTest {

    private static final boolean THOROUGH =
            System.getProperty("fluxmark.tier", "small").equals("thorough");
    private static final long KEYS = THOROUGH ? 10_000_000 : 200_000;
    private static final String HEAP = THOROUGH ? "512m" : "48m";
    private static final long STATE_BYTES = (THOROUGH ? 64L : 4L) << 20;
    private static final int KILLS = THOROUGH ? 6 : 3;
    private static final long SEED = 31_337;

    @TempDir
    Path directory;

    private final LargeFiring firing = new LargeFiring(KEYS);
    private int killsInFiring;

    @Test
    void itFiresInASmallHeapAndKillsLeaveNoRowsOrAllOfThem() {
        try (EventLog log = LargeFiring.openLog(directory)) {
            firing.append(log);
        }
        Random random = new Random(SEED);
        for (int kill = 0; kill < KILLS; kill++) {
            kill(random, kill);
        }
        long began = System.nanoTime();
        long peak;
        long ahead;
        try (RunningJvm child = child().start()) {
            int exit = child.awaitExit(LargeFiring.PATIENCE);
            assertThat(exit)
                    .as("exit code; output:\n%s", String.join("\n", child.lines()))
                    .isZero();
            peak = number(child.lines(), LargeFiringChild.PEAK);
            ahead = number(child.lines(), LargeFiringChild.AHEAD);
        }
        long took = System.nanoTime() - began;
        try (StateStore store = store()) {
            firing.check(store);
        }
        System.out.printf(
                "large firing: %d keys with -Xmx%s, %d kills, %d of them while rows were written ahead, %d rows written"
                        + " ahead in the last run, heap %d MiB at most with garbage, %.1f s from the last kill, seed %d%n",
                KEYS, HEAP, KILLS, killsInFiring, ahead, peak >> 20, took / 1e9, SEED);
        assertThat(ahead).isGreaterThan(KEYS / 2);
        assertThat(killsInFiring).isGreaterThanOrEqualTo(KILLS / 2);
    }

    /** The first ones while it reads, the later ones at a random row of the firing. */
    private void kill(Random random, int kill) {
        try (RunningJvm child = child().start()) {
            if (kill < KILLS / 2) {
                child.awaitLine(LargeFiringChild.BEGUN::equals, LargeFiring.PATIENCE);
                child.letRun(Duration.ofMillis(random.nextInt(2_000)));
            } else {
                long row = 1 + (long) (random.nextDouble() * KEYS / 2);
                child.awaitLine(
                        line -> line.startsWith(LargeFiringChild.AHEAD)
                                && Long.parseLong(line.substring(LargeFiringChild.AHEAD.length())) >= row,
                        LargeFiring.PATIENCE);
                killsInFiring++;
            }
            child.kill(LargeFiring.PATIENCE);
        }
        try (StateStore store = store()) {
            assertThat(LargeFiring.rowCount(store)).isIn(0L, KEYS);
        }
    }

    private StateStore store() {
        return StateStore.open(directory.resolve("state")).block(LargeFiring.PATIENCE);
    }

    private ChildJvm child() {
        return ChildJvm.of(LargeFiringChild.class)
                .heap(HEAP)
                .option("-XX:TieredStopAtLevel=1")
                .args(directory.toString(), "" + KEYS, "" + STATE_BYTES);
    }

    private static long number(List<String> lines, String label) {
        return lines.stream()
                .filter(line -> line.startsWith(label))
                .mapToLong(line -> Long.parseLong(line.substring(label.length())))
                .max()
                .orElseThrow();
    }
}
