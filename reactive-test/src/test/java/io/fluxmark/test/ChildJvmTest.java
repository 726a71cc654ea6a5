package io.fluxmark.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChildJvmTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir
    Path directory;

    private Path file() {
        return directory.resolve("numbers");
    }

    /** Appends numbers to a file, going on behind the last one, says each, and waits at a given one to be killed. */
    static final class Counter {

        private Counter() {}

        public static void main(String[] args) throws IOException, InterruptedException {
            Path file = Path.of(args[0]);
            long next = Files.exists(file) ? Files.readAllLines(file).size() : 0;
            for (long end = Long.parseLong(args[1]); next < end; next++) {
                Files.writeString(file, next + "\n", StandardOpenOption.CREATE, StandardOpenOption.APPEND);
                System.out.println("wrote " + next);
                if (next == Long.parseLong(args[2])) {
                    new CountDownLatch(1).await();
                }
            }
            System.out.println("heap " + Runtime.getRuntime().maxMemory());
        }
    }

    private ChildJvm counter(int end, int waitsAt) {
        return ChildJvm.of(Counter.class)
                .args(file().toString(), String.valueOf(end), String.valueOf(waitsAt))
                .heap("32m")
                .option("-XX:TieredStopAtLevel=1");
    }

    @Test
    void aChildIsKilledAtALineAndStartedAgain() throws IOException {
        try (RunningJvm child = counter(8, 4).start()) {
            assertThat(child.awaitLine(5, line -> line.startsWith("wrote"), PATIENCE))
                    .isEqualTo("wrote 4");
            assertThat(child.letRun(Duration.ofMillis(20))).isTrue();
            child.kill(PATIENCE);
            assertThat(child.exit()).isEqualTo(RunningJvm.KILLED);
            assertThat(child.lines()).hasSize(5);
        }
        try (RunningJvm again = counter(8, -1).start()) {
            assertThat(again.awaitExit(PATIENCE)).isZero();
            assertThat(again.lines().get(0)).isEqualTo("wrote 5");
            long heap = Long.parseLong(again.lines().get(3).substring("heap ".length()));
            assertThat(heap).isLessThanOrEqualTo(32 << 20);
        }
        assertThat(Files.readAllLines(file())).containsExactly("0", "1", "2", "3", "4", "5", "6", "7");
    }

    @Test
    void whatAChildSaidIsInTheMessageWhenAWaitFails() {
        try (RunningJvm child = counter(3, 2).start()) {
            child.awaitLine(line -> line.equals("wrote 2"), PATIENCE);
            assertThatThrownBy(() -> child.awaitLine(line -> line.equals("wrote 99"), Duration.ofMillis(50)))
                    .isInstanceOf(AssertionError.class)
                    .hasMessageContaining("no such line within PT0.05S (running)")
                    .hasMessageContaining("wrote 1");
            assertThatThrownBy(() -> child.awaitExit(Duration.ofMillis(50)))
                    .isInstanceOf(AssertionError.class)
                    .hasMessageContaining("still runs after PT0.05S");
        }
    }

    @Test
    void aChildThatFailsShowsItsErrorOutput() {
        try (RunningJvm child =
                ChildJvm.of(Counter.class).args(directory.toString(), "1", "x").start()) {
            assertThatThrownBy(() -> child.awaitLine(line -> line.equals("wrote 0"), PATIENCE))
                    .isInstanceOf(AssertionError.class)
                    .hasMessageContaining("before it ended (exit code 1)")
                    .hasMessageContaining("Exception");
        }
    }

    @Test
    void aChildThatPrintsWithoutEndIsKilled() {
        try (RunningJvm child = counter(1_000_000, -1).maxLines(10).start()) {
            assertThat(child.awaitExit(PATIENCE)).isEqualTo(RunningJvm.KILLED);
            assertThat(child.lines()).hasSize(11);
            assertThat(child.lines().get(10)).isEqualTo("(more than 10 lines: killed)");
        }
    }

    @Test
    void anImpossibleHeapIsRefused() {
        assertThatThrownBy(() -> ChildJvm.of(Counter.class).heap("64 MB"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'64 MB'");
    }
}
