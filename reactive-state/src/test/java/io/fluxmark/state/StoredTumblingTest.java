package io.fluxmark.state;

import static org.assertj.core.api.Assertions.assertThat;

import io.fluxmark.state.StoredWindows.Event;
import io.fluxmark.windows.Aggregation;
import io.fluxmark.windows.Aggregations;
import io.fluxmark.windows.Codec;
import io.fluxmark.windows.EventBatch;
import io.fluxmark.windows.EventBatchBuilder;
import io.fluxmark.windows.StreamElement;
import io.fluxmark.windows.Watermark;
import io.fluxmark.windows.WindowSpec;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tumbling windows over a store are worked on in panes on the heap while there is room, and entry by entry otherwise, and
 * may change from one to the other at any barrier. What comes out says nothing of it, nor of barriers and restarts.
 */
class StoredTumblingTest {

    private static final int CASES = Stores.THOROUGH ? 300 : 40;
    private static final long SEED = 47_001;

    /** Room for no entry beside the store, for some, and for all. */
    private static final long[] BUDGETS = {LaneStateBackend.MIN_BUDGET, 6_000, 20_000, 1 << 20};

    @TempDir
    Path directory;

    /** Counts in an object of its own. */
    private static final class ObjectCount implements Aggregation<Event, Long, Long> {

        @Override
        public Long create() {
            return 0L;
        }

        @Override
        public Long add(Long accumulator, Event event) {
            return accumulator + 1;
        }

        @Override
        public boolean canSubtract() {
            return true;
        }

        @Override
        public Long subtract(Long accumulator, Event event) {
            return accumulator - 1;
        }

        @Override
        public Long merge(Long first, Long second) {
            return first + second;
        }

        @Override
        public Long result(Long accumulator) {
            return accumulator;
        }

        @Override
        public Codec<Long> accumulatorCodec() {
            return Codec.longs();
        }
    }

    /** Runs of events of few or many keys, some of which are taken back later, with a rising watermark. */
    private static List<StreamElement<Event>> script(Random random) {
        int keys = 1 + random.nextInt(60);
        List<StreamElement<Event>> elements = new ArrayList<>();
        List<Event> accepted = new ArrayList<>();
        long watermark = Watermark.NONE;
        int now = 0;
        for (int run = random.nextInt(40); run >= 0; run--) {
            EventBatchBuilder<Event> events = EventBatch.builder();
            for (int i = random.nextInt(30); i >= 0; i--) {
                if (!accepted.isEmpty() && random.nextInt(5) == 0) {
                    Event back = accepted.remove(random.nextInt(accepted.size()));
                    events.add(back, back.time(), watermark, -1);
                } else {
                    Event event = new Event("k" + random.nextInt(keys), now + random.nextInt(30) - 15);
                    events.add(event, event.time(), watermark, 1);
                    if (event.time() > watermark) {
                        accepted.add(event);
                    }
                }
                now += random.nextInt(2);
                watermark = Math.max(watermark, now - random.nextInt(40));
            }
            elements.add(events.build(watermark));
        }
        elements.add(new Watermark<>(Watermark.END));
        return elements;
    }

    private List<String> output(
            String name,
            WindowSpec windows,
            Aggregation<Event, ?, Long> aggregation,
            List<StreamElement<Event>> elements,
            long budget,
            Random random) {
        try (StateStore store = Stores.open(directory.resolve(name), Stores.synchronous())) {
            StoredWindows stored = new StoredWindows(store, windows, budget, aggregation);
            for (StreamElement<Event> element : elements) {
                stored.push(element);
                if (random.nextBoolean()) {
                    stored.barrier();
                    if (random.nextBoolean()) {
                        stored.restart();
                    }
                }
            }
            stored.clean();
            assertThat(stored.stored())
                    .as("entries left, case and budget %s", name)
                    .isZero();
            return stored.out();
        }
    }

    @Test
    void stateThatHasNoRoomBesideTheStoreTakesNoneOfTheBudget() {
        WindowSpec windows = WindowSpec.tumbling(Duration.ofMillis(10));
        long budget = 20_000;
        EventBatchBuilder<Event> events = EventBatch.builder();
        for (int i = 0; i < EventBatch.MAX_SIZE; i++) {
            events.add(new Event("k" + i, 5), 5, Watermark.NONE);
        }
        try (StateStore store = Stores.open(directory.resolve("room"), Stores.synchronous())) {
            StoredWindows roomy = new StoredWindows(store, windows, 1 << 20);
            roomy.push(events.build(Watermark.NONE));
            roomy.barrier();
            assertThat(roomy.heapBytes()).isGreaterThan(budget);
            assertThat(new StoredWindows(store, windows, budget).heapBytes()).isLessThanOrEqualTo(budget);
        }
    }

    @Test
    void whatComesOutDoesNotDependOnRoomNorOnRestarts() {
        int results = 0;
        for (int i = 0; i < CASES; i++) {
            long seed = SEED + i;
            Random random = new Random(seed);
            List<StreamElement<Event>> elements = script(random);
            WindowSpec windows = WindowSpec.tumbling(Duration.ofMillis(10))
                    .offset(Duration.ofMillis(random.nextInt(10)))
                    .allowedLateness(Duration.ofMillis(random.nextInt(3) * 20L));
            List<String> expected = null;
            for (long budget : BUDGETS) {
                Aggregation<Event, ?, Long> aggregation =
                        random.nextBoolean() ? Aggregations.counting() : new ObjectCount();
                List<String> out = output(i + "-" + budget, windows, aggregation, elements, budget, random);
                if (expected == null) {
                    expected = out;
                    results += out.size();
                }
                assertThat(out).as("seed %d, budget %d", seed, budget).isEqualTo(expected);
            }
        }
        System.out.printf(
                "tumbling windows over a store: %d cases of %d budgets, %d results, seeds from %d%n",
                CASES, BUDGETS.length, results, SEED);
    }
}
