package io.fluxmark.proof;

import static org.assertj.core.api.Assertions.assertThat;

import io.fluxmark.test.ChildJvm;
import io.fluxmark.test.RunningJvm;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A job in a heap of 64 MiB whose sink is more than ten times slower than its source. */
class SlowSinkTest {

    private static final boolean THOROUGH =
            System.getProperty("fluxmark.tier", "small").equals("thorough");
    private static final long EVENTS = THOROUGH ? 2_000_000 : 200_000;
    private static final Duration PATIENCE = Duration.ofMinutes(15);

    /**
     * Of each of 4 lanes: the events of one barrier in the commit under way, those of one behind it, those of two that are
     * durable and not told of yet; and nine runs of 256 in the queues and hands of the operators.
     */
    private static final long MOST_IN_FLIGHT = 4 * (4 * SlowSinkChild.EVENTS_PER_BARRIER + 9 * 256);

    private static final long MOST_HEAP = 40 << 20;

    @TempDir
    Path directory;

    @Test
    void itEndsCorrectAndHoldsNoMoreThanItsQueues() {
        ChildJvm job = ChildJvm.of(SlowSinkChild.class).heap("64m").args(directory.toString(), "" + EVENTS);
        try (RunningJvm child = job.start()) {
            int exit = child.awaitExit(PATIENCE);
            assertThat(exit)
                    .as("exit code; output:\n%s", String.join("\n", child.lines()))
                    .isZero();
            long[] millis = numbers(child.lines(), "millis ");
            long inFlight = numbers(child.lines(), "in flight ")[0];
            long heap = numbers(child.lines(), "heap ")[0];
            System.out.printf(
                    "slow sink: %d events with -Xmx64m, %d ms fast, %d ms slow, %d events in flight at most (bound %d),"
                            + " heap after GC %d KiB at most (bound %d)%n",
                    EVENTS, millis[0], millis[1], inFlight, MOST_IN_FLIGHT, heap >> 10, MOST_HEAP >> 10);
            assertThat(millis[1])
                    .as("pauses between commits make the slow run take ten times as long")
                    .isGreaterThanOrEqualTo(10 * millis[0]);
            assertThat(inFlight).isPositive().isLessThanOrEqualTo(MOST_IN_FLIGHT);
            assertThat(heap).isPositive().isLessThanOrEqualTo(MOST_HEAP);
        }
    }

    private static long[] numbers(List<String> lines, String label) {
        String line =
                lines.stream().filter(of -> of.startsWith(label)).findFirst().orElseThrow();
        return Stream.of(line.substring(label.length()).split(" ", -1))
                .mapToLong(Long::parseLong)
                .toArray();
    }
}
