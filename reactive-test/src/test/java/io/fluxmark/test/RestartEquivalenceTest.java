package io.fluxmark.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fluxmark.log.AppendRecord;
import io.fluxmark.log.EventCodec;
import io.fluxmark.log.LogRecord;
import io.fluxmark.state.LaneSession;
import io.fluxmark.state.LaneTransaction;
import io.fluxmark.state.StateStore;
import io.fluxmark.test.TumblingEquivalenceTest.Event;
import io.fluxmark.windows.WatermarkSpec;
import io.fluxmark.windows.WindowSpec;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Jobs that are interrupted equal jobs that are not, and the defects of restarting are found. */
class RestartEquivalenceTest {

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int CASES =
            System.getProperty("fluxmark.tier", "small").equals("thorough") ? 60 : 4;
    private static final int PER_COMMIT = 12;
    private static final int EVENTS = 900;
    private static final WindowedPipeline<Event, String, long[], Long> SUMS = TumblingEquivalenceTest.sums(
            5, WindowSpec.tumbling(Duration.ofMillis(10)).allowedLateness(Duration.ofMillis(10)));

    private static final Pattern COUNTS = Pattern.compile("expected (\\d+) events.*\\s+got +(\\d+) events");

    @TempDir
    Path directory;

    private static final EventCodec<Event> CODEC = new EventCodec<>() {
        @Override
        public Event decode(LogRecord record) {
            String[] parts = new String(record.value(), StandardCharsets.UTF_8).split(",", 3);
            return new Event(parts[0], Long.parseLong(parts[1]), Integer.parseInt(parts[2]));
        }

        @Override
        public AppendRecord encode(Event event) {
            String text = event.key() + "," + event.time() + "," + event.amount();
            return AppendRecord.of(event.key().getBytes(StandardCharsets.UTF_8), text.getBytes(StandardCharsets.UTF_8));
        }
    };

    private static RestartEquivalence<Event, String, Long> restarted(int seed) {
        Random random = new Random(seed);
        List<Event> events = new ArrayList<>();
        for (int i = 0; i < EVENTS; i++) {
            events.add(new Event("k" + random.nextInt(20), i / 2, 1 + random.nextInt(5)));
        }
        return RestartEquivalence.of(SUMS, CODEC)
                .events(events, Disorder.shuffledWithin(Duration.ofMillis(25), seed))
                .partitions(3)
                .eventsPerCommit(PER_COMMIT)
                .restarts(6, seed);
    }

    @Test
    void anInterruptedJobEqualsAnUninterruptedOne() {
        Equivalence sum = Equivalence.none();
        Set<List<Long>> offsets = new HashSet<>();
        for (int seed = 0; seed < CASES; seed++) {
            int number = seed;
            sum = sum.plus(restarted(seed)
                    .betweenRuns(store -> offsets.add(committed(store, number)))
                    .verify(directory.resolve("case" + seed)));
        }
        assertThat(offsets).as("interrupted at different places").hasSizeGreaterThan(2 * CASES);
        System.out.printf("restart equivalence: %d cases of 6 restarts, seeds from 0: %s%n", CASES, sum);
        assertThat(sum.events()).isEqualTo((long) EVENTS * CASES);
        assertThat(sum.refired()).isPositive();
        assertThat(sum.late()).isPositive();
    }

    private AbstractThrowableAssert<?, ? extends Throwable> caught(Consumer<StateStore> defect) {
        return assertThatThrownBy(() -> restarted(1).betweenRuns(defect).verify(directory))
                .isInstanceOf(AssertionError.class)
                .satisfies(failure -> System.out.println(failure.getMessage() + "\n"))
                .hasMessageContaining("Not equivalent to a run without restarts, before restart 1")
                .hasMessageContaining("restarts with seed 1");
    }

    private static void change(StateStore store, int lane, Consumer<LaneTransaction> change) {
        LaneSession session = store.openLane(RestartEquivalence.JOB, lane).block(PATIENCE);
        LaneTransaction transaction = session.begin();
        change.accept(transaction);
        session.submit(transaction).block(PATIENCE);
    }

    private static int laneThatHasCommitted(StateStore store) {
        for (int lane = 0; lane < 3; lane++) {
            if (position(store, lane) != null) {
                return lane;
            }
        }
        throw new AssertionError("no lane has committed");
    }

    private static List<Long> committed(StateStore store, int number) {
        List<Long> offsets = new ArrayList<>(List.of((long) number));
        for (int lane = 0; lane < 3; lane++) {
            long[] position = position(store, lane);
            offsets.add(position == null ? 0L : position[0]);
        }
        return offsets;
    }

    private static long[] position(StateStore store, int lane) {
        return store.longs(RestartEquivalence.JOB, lane, "job", "position").block(PATIENCE);
    }

    @Test
    void aPartitionWhoseWatermarkIsForgotten() {
        caught(store -> change(store, laneThatHasCommitted(store), transaction -> {
                    long[] none = {Long.MIN_VALUE, Long.MIN_VALUE};
                    transaction.longs("event-time-1", WatermarkSpec.STATE_NAME, none);
                }))
                .hasMessageContaining("S47: the watermark of each partition is part of every commit")
                .hasMessageContaining("got      W=" + Long.MIN_VALUE + " in event-time-1");
    }

    @Test
    void offsetsThatAreOneCommitAheadOfTheState() {
        caught(store -> {
                    int lane = laneThatHasCommitted(store);
                    long[] position = position(store, lane);
                    position[0] += PER_COMMIT;
                    change(store, lane, transaction -> transaction.longs("job", "position", position));
                })
                .hasMessageContaining("S12, S48: counters, state and offsets are of one commit")
                .satisfies(failure -> {
                    Matcher counts = COUNTS.matcher(failure.getMessage());
                    assertThat(counts.find()).isTrue();
                    assertThat(Integer.parseInt(counts.group(1)) - Integer.parseInt(counts.group(2)))
                            .isEqualTo(PER_COMMIT);
                });
    }
}
