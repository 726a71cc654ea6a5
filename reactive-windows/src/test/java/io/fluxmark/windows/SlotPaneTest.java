package io.fluxmark.windows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/** Panes of objects and panes of longs, against maps. */
class SlotPaneTest {

    /** What a pane should hold for a slot: the events in it. */
    private final Map<Integer, List<Long>> model = new HashMap<>();

    private static SlotPane<Long, long[]> pane(Random random, LongsAggregation<Long, Long> aggregation) {
        WindowSpec windows = WindowSpec.tumbling(Duration.ofMillis(1));
        int expected = random.nextInt(20);
        int slotBound = random.nextInt(200);
        return random.nextBoolean()
                ? new CellPane<>(aggregation, 0, windows, expected, slotBound)
                : new ObjectPane<>(
                        aggregation,
                        new SpareAccumulators<>(aggregation),
                        0,
                        windows,
                        expected,
                        slotBound,
                        aggregation.canSubtract());
    }

    @Property
    void aPaneIsAMapFromSlots(@ForAll Random random) {
        boolean subtracting = random.nextBoolean();
        LongsAggregation<Long, Long> aggregation =
                subtracting ? Aggregations.summingLong(Long::longValue) : Aggregations.maxLong(Long::longValue);
        SlotPane<Long, long[]> pane = pane(random, aggregation);
        model.clear();
        int slotCount = 1 + random.nextInt(400);
        int bound = 1;
        for (int step = random.nextInt(1_000); step > 0; step--) {
            int slot = random.nextInt(slotCount);
            bound = Math.max(bound, slot + 1);
            assertHolds(pane, slot, aggregation);
            List<Long> events = model.computeIfAbsent(slot, s -> new ArrayList<>());
            if (subtracting && !events.isEmpty() && random.nextBoolean()) {
                Long event = events.remove(random.nextInt(events.size()));
                assertThat(pane.takeBack(slot, event)).isEqualTo(events.isEmpty());
            } else {
                add(pane, slot, random.nextLong(), bound);
            }
            assertHolds(pane, slot, aggregation);
            assertThat(pane.size()).isEqualTo((int)
                    model.values().stream().filter(held -> !held.isEmpty()).count());
            if (random.nextInt(300) == 0) {
                renumber(pane, bound, random);
            }
        }
        List<Integer> slots = new ArrayList<>();
        pane.forEachSlot(slots::add);
        assertThat(slots).doesNotHaveDuplicates().allMatch(slot -> !model.get(slot)
                .isEmpty());
        assertThat(slots).hasSize(pane.size());
    }

    @Test
    void anAccumulatorOfNoLongsIsRefused() {
        LongsAggregation<Long, Long> none = new CellAggregation<>(
                "none",
                0,
                0,
                (cells, at, event) -> {},
                null,
                (cells, at, others, from) -> {},
                (cells, at) -> 0L,
                Codec.longs());
        assertThatIllegalArgumentException()
                .isThrownBy(() -> PaneLayout.of(none, false))
                .withMessage(
                        "an accumulator has at least 1 long, but cells() of none is 0: return how many longs add, merge"
                                + " and result use");
    }

    private void add(SlotPane<Long, long[]> pane, int slot, long event, int bound) {
        List<Long> events = model.get(slot);
        assertThat(pane.add(slot, event)).isEqualTo(!events.isEmpty());
        if (events.isEmpty()) {
            pane.addFirst(slot, event, bound);
        }
        events.add(event);
    }

    private void assertHolds(SlotPane<Long, long[]> pane, int slot, LongsAggregation<Long, Long> aggregation) {
        List<Long> events = model.getOrDefault(slot, List.of());
        assertThat(pane.has(slot)).isEqualTo(!events.isEmpty());
        if (events.isEmpty()) {
            assertThat(pane.get(slot)).isNull();
        } else {
            long[] expected = aggregation.create();
            events.forEach(event -> aggregation.add(expected, event));
            assertThat(pane.get(slot)).isEqualTo(expected);
        }
    }

    private void renumber(SlotPane<Long, long[]> pane, int bound, Random random) {
        int[] moved = new int[bound];
        for (int i = 0; i < bound; i++) {
            int other = random.nextInt(i + 1);
            moved[i] = moved[other];
            moved[other] = i;
        }
        pane.renumber(moved, bound);
        Map<Integer, List<Long>> before = Map.copyOf(model);
        model.clear();
        before.forEach((slot, events) -> model.put(moved[slot], events));
    }
}
