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

class KillTest {

    private static final int KILLS = Stores.THOROUGH ? 100 : 8;
    private static final long SEED = 31;

    @TempDir
    Path directory;

    @Test
    void killedProcessLosesNothingAcknowledgedAndTearsNothing() throws Exception {
        Random random = new Random(SEED);
        CrashModel model = new CrashModel(SEED);
        Path place = Files.createDirectory(directory.resolve("store"));
        long acknowledged = 0;
        for (int kill = 0; kill < KILLS; kill++) {
            Process child = start(place);
            int acknowledgements = 1 + random.nextInt(60);
            try (BufferedReader out =
                    new BufferedReader(new InputStreamReader(child.getInputStream(), StandardCharsets.UTF_8))) {
                for (int i = 0; i < acknowledgements; i++) {
                    acknowledged = Long.parseLong(out.readLine());
                }
                // Somewhere within the commits that follow, not at their edge.
                for (int spin = random.nextInt(200_000); spin > 0; spin--) {
                    Thread.onSpinWait();
                }
                // Through the handle, because Process.destroyForcibly also closes our end of the pipe.
                child.toHandle().destroyForcibly();
                for (String line = out.readLine(); line != null && !line.isEmpty(); line = out.readLine()) {
                    acknowledged = Long.parseLong(line);
                }
            }
            assertThat(child.waitFor(30, TimeUnit.SECONDS)).isTrue();
            try (StateStore store = Stores.open(place)) {
                LaneSession session = Stores.lane(store, 0);
                assertThat(session.restored().transaction()).isBetween(acknowledged, acknowledged + 1);
                model.verify(store, session);
            }
        }
        System.out.printf("kills: %d, seed %d, last transaction %d%n", KILLS, SEED, acknowledged);
    }

    private static Process start(Path place) throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx128m",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Child.class.getName(),
                        place.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    /** Commits until it is killed and prints the id of each acknowledged transaction. */
    static final class Child {

        private Child() {}

        public static void main(String[] args) {
            CrashModel model = new CrashModel(SEED);
            try (StateStore store =
                    Stores.open(Path.of(args[0]), Stores.synchronous().dropSlice(9))) {
                LaneSession session = Stores.lane(store, 0);
                while (true) {
                    Stores.await(model.submit(session));
                    System.out.println(session.committedTransaction());
                }
            }
        }
    }
}
