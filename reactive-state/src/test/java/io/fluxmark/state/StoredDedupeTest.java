package io.fluxmark.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fluxmark.windows.EventBatch;
import io.fluxmark.windows.EventBatchBuilder;
import io.fluxmark.windows.EventFlux;
import io.fluxmark.windows.KeyCodec;
import io.fluxmark.windows.StreamElement;
import io.fluxmark.windows.Watermark;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Flux;

/** Ids that are remembered in a real store. */
class StoredDedupeTest {

    private static final int IDS = Stores.THOROUGH ? 1_000_000 : 20_000;
    private static final int CASES = Stores.THOROUGH ? 200 : 3;
    private static final int PER_BARRIER = 1_000;
    private static final long SEED = 39_001;

    private record Event(String key, long id, long time) {}

    @TempDir
    Path directory;

    private static EventFlux<Event> perKey(Flux<StreamElement<Event>> elements, long timeToLive) {
        return EventFlux.fromElements(elements)
                .keyBy(Event::key)
                .dedupe(Event::id, KeyCodec.tagged(Long.class), Duration.ofMillis(timeToLive))
                .unkeyed();
    }

    private static EventFlux<Event> ofAll(Flux<StreamElement<Event>> elements, long timeToLive) {
        return EventFlux.fromElements(elements)
                .dedupe(Event::id, KeyCodec.tagged(Long.class), Duration.ofMillis(timeToLive));
    }

    /** Events and watermarks, and beside them what a plain loop lets pass. */
    private static List<StreamElement<Event>> script(Random random, long timeToLive, List<String> passing) {
        List<StreamElement<Event>> elements = new ArrayList<>();
        Map<String, Long> first = new HashMap<>();
        long watermark = Watermark.NONE;
        for (int i = 0; i < 40; i++) {
            Event event = new Event("k" + random.nextInt(2), random.nextInt(4), 3L * i - random.nextInt(40));
            elements.add(EventBatch.<Event>builder()
                    .add(event, event.time, watermark)
                    .build(watermark));
            Long seen = first.get(event.key + event.id);
            boolean isLate = watermark != Watermark.NONE && event.time + timeToLive <= watermark;
            if (!isLate && (seen == null || watermark >= seen + timeToLive)) {
                first.put(event.key + event.id, event.time);
                passing.add(event.time + " " + event);
            }
            watermark = Math.max(watermark, 3L * i - 20 - random.nextInt(10));
            if (random.nextInt(4) == 0) {
                elements.add(new Watermark<>(watermark));
            }
        }
        elements.add(new Watermark<>(Watermark.END));
        return elements;
    }

    @Test
    void s47s53MovedBetweenAnyTwoElementsEachIdPassesOnce() {
        for (int i = 0; i < CASES; i++) {
            long seed = SEED + i;
            Random random = new Random(seed);
            long timeToLive = 1L + random.nextInt(60);
            List<String> passing = new ArrayList<>();
            List<StreamElement<Event>> elements = script(random, timeToLive, passing);
            try (StateStore store = Stores.open(directory.resolve("moved" + i), Stores.synchronous())) {
                RunningLane<Event, Event> lane =
                        new RunningLane<>(store, LaneStateBackend.MIN_BUDGET, each -> perKey(each, timeToLive));
                for (StreamElement<Event> element : elements) {
                    lane.push(element);
                    lane.barrier();
                    lane.restart();
                }
                assertThat(lane.out)
                        .as("seed %d, time-to-live %d", seed, timeToLive)
                        .isEqualTo(passing);
                lane.clean();
                assertThat(lane.stored()).isZero();
            }
        }
        System.out.printf("dedupe over a store, moved anywhere: %d cases, seeds from %d%n", CASES, SEED);
    }

    /** C103, with a restart in the middle; what is over goes from the store too. What becomes over waits for the next barrier. */
    @Test
    void c103NoMoreIdsAreStoredThanThoseOfTheTimeToLive() {
        int perMilli = Math.max(1, IDS / 100_000);
        long timeToLive = IDS / perMilli / 10;
        long budget = Math.max(1 << 22, 40L * IDS);
        long most = 0;
        try (StateStore store = Stores.open(directory, Stores.synchronous())) {
            RunningLane<Event, Event> lane = new RunningLane<>(store, budget, each -> ofAll(each, timeToLive));
            EventBatchBuilder<Event> run = EventBatch.builder();
            for (int i = 0; i < IDS; i++) {
                long time = i / perMilli;
                run.add(new Event("k", i, time), time, time - 1);
                if (run.isFull() || i == IDS - 1) {
                    lane.push(run.build(time - 1));
                    most = Math.max(most, lane.held());
                }
                if (i % PER_BARRIER == PER_BARRIER - 1) {
                    lane.barrier();
                }
                if (i == IDS / 2) {
                    lane.barrier();
                    lane.restart();
                    lane.push(EventBatch.<Event>builder()
                            .add(new Event("k", i - 1, time), time, time - 1)
                            .build(time - 1));
                }
            }
            lane.barrier();
            assertThat(lane.emitted)
                    .as("none of them twice, the one sent again neither")
                    .isEqualTo(IDS);
            assertThat(most)
                    .isBetween(perMilli * timeToLive, perMilli * (timeToLive + timeToLive / 8 + 2) + PER_BARRIER);
            lane.push(new Watermark<>(Watermark.END));
            lane.clean();
            assertThat(lane.held()).isZero();
            assertThat(lane.stored()).isZero();
        }
        System.out.printf(
                "dedupe over a store, C103: %,d ids, %,d in a time-to-live of %,d ms, at most %,d held%n",
                IDS, perMilli * timeToLive, timeToLive, most);
    }

    @Test
    void idsOfAnotherKindUnderTheSameNameAreRefused() {
        try (StateStore store = Stores.open(directory, Stores.synchronous())) {
            RunningLane<Event, Event> lane = new RunningLane<>(store, 1 << 20, each -> ofAll(each, 10));
            lane.push(EventBatch.<Event>builder()
                    .add(new Event("k", 1, 1), 1, Watermark.NONE)
                    .build(Watermark.NONE));
            lane.barrier();
            LaneSession session = Stores.lane(store, 0);
            StoredWindows.Lane other = new StoredWindows.Lane(LaneStateBackend.of(session, 1 << 20));
            assertThatThrownBy(
                            () -> perKey(Flux.empty(), 10).elements(() -> other).blockLast(Stores.PATIENCE))
                    .isInstanceOf(StateStoreException.class)
                    .hasMessageContaining("operator dedupe-1 of job job");
        }
    }
}
