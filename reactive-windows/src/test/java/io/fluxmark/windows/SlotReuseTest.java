package io.fluxmark.windows;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.test.StepVerifier;

/** Slots that wait for their keys, accumulators made ahead, and keys that are read before their turn. */
class SlotReuseTest {

    private record Event(String key, long time) {}

    @Test
    void aSlotThatIsUsedAgainBeforePanesGoTwiceKeepsItsKey() {
        IdleSlots idle = new IdleSlots();
        List<Integer> parted = new ArrayList<>();
        idle.add(1);
        idle.add(2);
        idle.age(parted::add);
        assertThat(parted).isEmpty();
        idle.add(2); // it was used, and is idle again
        idle.add(3);
        idle.age(parted::add);
        assertThat(parted).containsExactly(1);
        idle.age(parted::add);
        assertThat(parted).containsExactlyInAnyOrder(1, 2, 3);
    }

    @Test
    void whenNoPaneIsLeftAllIdleSlotsGo() {
        IdleSlots idle = new IdleSlots();
        idle.add(1);
        idle.age(slot -> {});
        idle.add(2);
        Set<Integer> parted = new TreeSet<>();
        idle.drain(parted::add);
        assertThat(parted).containsExactly(1, 2);
        idle.drain(slot -> assertThat(slot).isNull());
    }

    @Test
    void noMoreAccumulatorsAreMadeAheadThanHaveBeenUsed() {
        List<long[]> made = new ArrayList<>();
        SpareAccumulators<long[]> spare = new SpareAccumulators<>(new Aggregation<Event, long[], Long>() {
            @Override
            public long[] create() {
                long[] accumulator = new long[1];
                made.add(accumulator);
                return accumulator;
            }

            @Override
            public long[] add(long[] accumulator, Event event) {
                return accumulator;
            }

            @Override
            public long[] merge(long[] first, long[] second) {
                return first;
            }

            @Override
            public Long result(long[] accumulator) {
                return 0L;
            }
        });
        List<long[]> taken = new ArrayList<>();
        for (int i = 1; i <= 1_000; i++) {
            long[] next = spare.take();
            assertThat(taken).noneMatch(other -> other == next);
            taken.add(next);
            assertThat(made.size()).isLessThanOrEqualTo(Math.min(2 * i, i + 63));
        }
    }

    /** Waves of keys that come once, one large and many small: slots are numbered anew, and no key is left behind. */
    @Test
    void keysThatComeOnceLoseTheirSlotsWhileOthersGoOn() {
        WindowResults<String, Long> results = new WindowResults<>(new LiveCounters());
        SlottedWindows<Event, String, long[], Long> windows = new SlottedWindows<>(
                new WindowDefinition<>(
                        "waves",
                        Event::key,
                        KeyCodec.tagged(),
                        WindowSpec.tumbling(Duration.ofMillis(10)),
                        Aggregations.counting(),
                        null,
                        null),
                LaneContext.local(),
                new LiveCounters(),
                results,
                null);
        int most = 0;
        for (int wave = 0; wave < 50; wave++) {
            long start = 10L * wave;
            int keys = wave % 10 == 0 ? 1_000 : 10;
            for (int i = 0; i < keys; i++) {
                EventBatch<Event> run = EventBatch.<Event>builder()
                        .add(new Event(wave + "/" + i, start + 5), start + 5, results.watermark)
                        .build(results.watermark);
                assertThat(windows.addAll(run, 0)).isEqualTo(1);
            }
            long before = results.watermark;
            results.watermark = start - 1; // the wave before this one fires, and goes
            if (windows.isDue(results.watermark)) {
                windows.beginAdvance(before);
                while (!windows.proceed()) {
                    results.take();
                }
            }
            most = Math.max(most, windows.keys());
            if (wave % 10 >= 3) {
                assertThat(windows.keys()).as("wave " + wave).isLessThanOrEqualTo(30);
            }
        }
        assertThat(most).isGreaterThan(1_000);
    }

    /** Keys are read by the run; a key function that fails must not take the events before with it. */
    @Test
    void aKeyFunctionThatFailsEndsTheStreamAtItsEventAndNotBefore() {
        List<Event> late = new ArrayList<>();
        EventBatch<Event> run = EventBatch.<Event>builder()
                .add(new Event("a", 1), 1, Watermark.NONE)
                .build(9);
        EventBatch<Event> next = EventBatch.<Event>builder()
                .add(new Event("a", 12), 12, 9)
                .add(new Event("a", 2), 2, 9)
                .add(new Event("bad", 13), 13, 9)
                .add(new Event("a", 3), 3, 9)
                .build(9);
        StepVerifier.create(counts(Flux.just(run, next), late))
                .expectNext("a0:1")
                .verifyErrorMessage("no key in Event[key=bad, time=13]");
        assertThat(late).containsExactly(new Event("a", 2));
    }

    /** A late event needs no key: one that has none is counted late, and is no failure. */
    @Test
    void theKeyOfALateEventIsNotNeeded() {
        List<Event> late = new ArrayList<>();
        EventBatch<Event> run = EventBatch.<Event>builder()
                .add(new Event("bad", 1), 1, 9)
                .add(new Event("a", 12), 12, 9)
                .build(9);
        StepVerifier.create(counts(Flux.just(run, new Watermark<>(Watermark.END)), late))
                .expectNext("a10:1")
                .verifyComplete();
        assertThat(late).containsExactly(new Event("bad", 1));
    }

    /** Counts by key in windows of 10 ms; the key {@code bad} can't be read. */
    private static Flux<String> counts(Flux<StreamElement<Event>> input, List<Event> late) {
        return EventFlux.fromElements(input)
                .keyBy(event -> {
                    if (event.key().equals("bad")) {
                        throw new IllegalStateException("no key in " + event);
                    }
                    return event.key();
                })
                .window(WindowSpec.tumbling(Duration.ofMillis(10)))
                .lateTo(event -> late.add(event.value()))
                .aggregate(Aggregations.counting())
                .toFlux()
                .map(result -> result.key() + result.window().start() + ":" + result.value());
    }
}
