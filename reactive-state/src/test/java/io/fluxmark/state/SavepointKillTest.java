package io.fluxmark.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Flux;

/** Processes that take savepoints of a store under load are killed with SIGKILL while one is being written. */
class SavepointKillTest {

    private static final int KILLS = Stores.THOROUGH ? 60 : 5;
    private static final int VALUE_BYTES = 4_000;
    private static final long SEED = 37;
    private static final String TAKING = "taking";
    private static final String TAKEN = "taken ";

    @TempDir
    Path directory;

    @Test
    void aKilledProcessLeavesWholeSavepointsOrNoneAndAnUnharmedStore() throws Exception {
        Random random = new Random(SEED);
        int whole = 0;
        int unfinished = 0;
        Path live = Files.createDirectory(directory.resolve("live"));
        for (int kill = 0; kill < KILLS; kill++) {
            Path savepoints = Files.createDirectory(directory.resolve("savepoints" + kill));
            long acknowledged = 0;
            int told = 0;
            Process child = start(live, savepoints);
            try (BufferedReader out =
                    new BufferedReader(new InputStreamReader(child.getInputStream(), StandardCharsets.UTF_8))) {
                int takings = 1 + random.nextInt(3);
                for (String line = out.readLine(); line != null; line = out.readLine()) {
                    if (line.equals(TAKING) && --takings == 0) {
                        // Somewhere within it.
                        for (int spin = random.nextInt(3_000_000); spin > 0; spin--) {
                            Thread.onSpinWait();
                        }
                        // Through the handle, because Process.destroyForcibly also closes our end of the pipe.
                        child.toHandle().destroyForcibly();
                    } else if (line.matches(TAKEN + "\\d+")) {
                        told++;
                    } else if (line.matches("\\d+")) {
                        acknowledged = Long.parseLong(line);
                    }
                }
            }
            assertThat(child.waitFor(30, TimeUnit.SECONDS)).isTrue();
            int found = SavepointCrash.check(savepoints, directory.resolve("restored" + kill));
            assertThat(found).as("kill %d, seed %d", kill, SEED).isBetween(told, told + 1);
            whole += found;
            unfinished += hasUnfinished(savepoints) ? 1 : 0;
            try (StateStore store = Stores.open(live)) {
                assertThat(SavepointCrash.version(store)).isBetween(acknowledged, acknowledged + 1);
            }
            assertThat(OfflineStore.verify(live, read -> {}).damages()).isEmpty();
        }
        System.out.printf(
                "savepoint kills: %d kills, %d whole savepoints restored, %d unfinished ones refused, seed %d%n",
                KILLS, whole, unfinished, SEED);
        assertThat(unfinished).isPositive();
    }

    private static boolean hasUnfinished(Path savepoints) throws IOException {
        try (var names = Files.list(savepoints)) {
            return names.anyMatch(name -> name.toString().endsWith(Savepoints.UNFINISHED));
        }
    }

    private static Process start(Path live, Path savepoints) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx128m",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Child.class.getName(),
                        live.toString(),
                        savepoints.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    /** Commits without end, and takes one savepoint after the other meanwhile, until it is killed. */
    static final class Child {

        private Child() {}

        public static void main(String[] args) {
            Path savepoints = Path.of(args[1]);
            try (StateStore store = Stores.open(Path.of(args[0]))) {
                LaneSession session = Stores.lane(store, 0);
                commit(session);
                Flux.range(0, Integer.MAX_VALUE)
                        .concatMap(number -> {
                            System.out.println(TAKING);
                            return Savepoints.take(store, savepoints, SavepointSpec.named("s" + number));
                        })
                        .subscribe(savepoint -> System.out.println(TAKEN + savepoint.commit()));
                while (true) {
                    commit(session);
                }
            }
        }

        private static void commit(LaneSession session) {
            long version = session.committedTransaction() + 1;
            Stores.await(SavepointCrash.write(session, version, VALUE_BYTES));
            System.out.println(version);
        }
    }
}
