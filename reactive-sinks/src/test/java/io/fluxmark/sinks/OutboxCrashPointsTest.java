package io.fluxmark.sinks;

import static org.assertj.core.api.Assertions.assertThat;

import io.fluxmark.state.StoreSpec;
import io.fluxmark.state.StoreTable;
import io.fluxmark.windows.CheckpointSpec;
import io.fluxmark.windows.Codec;
import io.fluxmark.windows.KeyCodec;
import io.fluxmark.windows.WindowResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Mono;

/**
 * A job with an outbox crashes before and after writes of its store: every row arrives, in the order of its key, or is a dead
 * letter; and each that comes again says so.
 */
class OutboxCrashPointsTest {

    private static final int TICKS = Ticks.thorough() ? 20_000 : 4_000;
    private static final int MOST_IMAGES = Ticks.thorough() ? 200 : 12;
    private static final long SEED = 77;

    /** The key whose rows the receiver never takes. */
    private static final String REFUSED = "k7";

    private static final Codec<WindowResult<String, Long>> RESULTS =
            TransactionalSink.resultCodec(KeyCodec.tagged(), Codec.longs());

    @TempDir
    Path directory;

    private final ExecutorService storeThread = Executors.newSingleThreadExecutor();

    @AfterEach
    void end() {
        storeThread.shutdown();
    }

    /** What came to the receiver and was taken, in order. */
    private static final class Receiver {

        private final List<OutboxDelivery<WindowResult<String, Long>>> taken =
                Collections.synchronizedList(new ArrayList<>());

        Mono<Void> take(OutboxDelivery<WindowResult<String, Long>> delivery) {
            return delivery.value().key().equals(REFUSED)
                    ? Mono.error(new IllegalStateException("refused"))
                    : Mono.fromRunnable(() -> taken.add(delivery));
        }
    }

    /** Runs the job to its end, and returns what became a dead letter. */
    private static List<UndeliveredRow<WindowResult<String, Long>>> run(JobPlace place, Receiver receiver) {
        OutboxSink<WindowResult<String, Long>> outbox = TransactionalSink.outbox(
                        place.store(), "out", RESULTS, WindowResult::key, receiver::take)
                .delivery(DeliverySpec.defaults().batch(20).attempts(2, Duration.ofMillis(1), Duration.ofMillis(1)));
        place.job(outbox, CheckpointSpec.everyEvents(50).drainWhen(Mono.empty()))
                .blockLast(Ticks.PATIENCE);
        assertThat(place.store()
                        .read(StoreTable.OUTBOX, new byte[0], null)
                        .count()
                        .block(Ticks.PATIENCE))
                .isZero();
        return outbox.undelivered().collectList().block(Ticks.PATIENCE);
    }

    private static String name(OutboxDelivery<?> delivery) {
        return delivery.lane() + "/" + delivery.number();
    }

    private static Map<String, WindowResult<String, Long>> rows(
            List<OutboxDelivery<WindowResult<String, Long>>> taken,
            List<UndeliveredRow<WindowResult<String, Long>>> dead) {
        Map<String, WindowResult<String, Long>> rows = new TreeMap<>();
        taken.forEach(delivery -> rows.put(name(delivery), delivery.value()));
        for (UndeliveredRow<WindowResult<String, Long>> row : dead) {
            String name = row.lane() + "/" + row.number();
            assertThat(rows.put(name, row.value())).as("dead letter %s", name).isNull();
        }
        return rows;
    }

    @Test
    void whateverWriteWasTheLastEveryRowArrivesOrIsADeadLetter() throws Exception {
        Path undisturbed = Files.createDirectory(directory.resolve("undisturbed"));
        Random random = new Random(SEED);
        AtomicBoolean running = new AtomicBoolean();
        Receiver receiver = new Receiver();
        List<Integer> takenBefore = new ArrayList<>();
        CrashImages images = new CrashImages(undisturbed, directory.resolve("images"), () -> {
            boolean wanted = running.get() && random.nextInt(3) > 0;
            if (wanted) {
                // No commit comes in between: what the image has lost of rows had been taken by now.
                takenBefore.add(receiver.taken.size());
            }
            return wanted;
        });
        Map<String, WindowResult<String, Long>> expected;
        try (JobPlace place = JobPlace.open(undisturbed, StoreSpec.defaults().executor(images.around(storeThread)))) {
            Ticks.append(place.topic(), Ticks.random(TICKS, SEED));
            running.set(true);
            List<UndeliveredRow<WindowResult<String, Long>>> dead = run(place, receiver);
            running.set(false);
            expected = rows(receiver.taken, dead);
            assertThat(dead).hasSizeGreaterThan(10);
        }
        int again = 0;
        List<Path> all = images.images();
        int count = Math.min(all.size(), MOST_IMAGES);
        for (int i = 0; i < count; i++) {
            int at = (int) ((long) i * all.size() / count);
            List<OutboxDelivery<WindowResult<String, Long>>> before = receiver.taken.subList(0, takenBefore.get(at));
            Receiver after = new Receiver();
            try (JobPlace place =
                    JobPlace.open(all.get(at), StoreSpec.defaults().executor(storeThread))) {
                List<UndeliveredRow<WindowResult<String, Long>>> dead = run(place, after);
                again += assertInOrder(before, after.taken);
                assertThat(rows(
                                Stream.concat(before.stream(), after.taken.stream())
                                        .toList(),
                                dead))
                        .as("%s, seed %d", all.get(at).getFileName(), SEED)
                        .isEqualTo(expected);
            }
        }
        System.out.printf(
                "outbox crash points: %d of %d boundaries crashed at, %d rows, %d came again, seed %d%n",
                count, all.size(), expected.size(), again, SEED);
        assertThat(again).isPositive();
    }

    /** Each key in the order of its numbers, apart from rows that come again, which say so; returns how many did. */
    private static int assertInOrder(
            List<OutboxDelivery<WindowResult<String, Long>>> before,
            List<OutboxDelivery<WindowResult<String, Long>>> after) {
        Set<String> names = new HashSet<>();
        before.forEach(delivery -> assertThat(names.add(name(delivery))).isTrue());
        Map<String, Long> newest = new HashMap<>();
        int again = 0;
        for (OutboxDelivery<WindowResult<String, Long>> delivery : after) {
            if (!names.add(name(delivery))) {
                again++;
                assertThat(delivery.repeated()).as(name(delivery)).isTrue();
            }
            Long previous = newest.put(delivery.value().key(), delivery.number());
            assertThat(previous == null ? -1 : previous)
                    .as("number before %s", name(delivery))
                    .isLessThan(delivery.number());
        }
        return again;
    }
}
