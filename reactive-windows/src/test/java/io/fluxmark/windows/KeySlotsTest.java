package io.fluxmark.windows;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Keys, their slots and their order, against maps. */
class KeySlotsTest {

    /** A key whose hash codes are as few as {@code spread}. */
    private record Key(int id, int spread) implements Comparable<Key> {
        @Override
        public int hashCode() {
            return id % spread;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof Key that && that.id == id && that.spread == spread;
        }

        @Override
        public int compareTo(Key other) {
            return Integer.compare(id, other.id);
        }
    }

    @Provide
    Arbitrary<Integer> spreads() {
        return Arbitraries.of(1, 3, 1_000, 1_000_000);
    }

    private final Map<Key, Integer> holders = new HashMap<>();
    private final KeySlots<Key> slots = new KeySlots<>();
    private final KeyOrder<Key> order = new KeyOrder<>(slots, Comparator.naturalOrder());

    private void retain(Key key) {
        int slot = slots.find(key);
        assertThat(slot == KeySlots.NONE).isEqualTo(!holders.containsKey(key));
        if (slot == KeySlots.NONE) {
            slot = slots.assign(key);
            order.add(key, slot);
        }
        slots.retain(slot);
        assertThat(slots.key(slot)).isEqualTo(key);
        holders.merge(key, 1, Integer::sum);
    }

    private void release(Key key) {
        int slot = slots.find(key);
        boolean last = holders.merge(key, -1, Integer::sum) == 0;
        assertThat(slots.release(slot)).isEqualTo(last);
        long partings = slots.partings();
        assertThat(slots.part(slot)).isEqualTo(last);
        assertThat(slots.partings() != partings).isEqualTo(last);
        if (last) {
            order.remove(slot);
            holders.remove(key);
        }
    }

    private List<Key> walk(SlotTable table) {
        order.begin(List.of(table));
        List<Key> walked = new ArrayList<>();
        for (int i = 0; i < order.size(); i++) {
            walked.add(slots.key(order.get(i)));
        }
        return walked;
    }

    @Property
    void keysHaveSlotsOfTheirOwnAsLongAsTheyAreHeld(@ForAll Random random, @ForAll("spreads") int spread) {
        holders.clear();
        int ids = spread == 1 ? 300 : 3_000;
        for (int phase = 0; phase < 4; phase++) {
            int growing = random.nextInt(10);
            for (int step = random.nextInt(ids); step > 0; step--) {
                Key key = new Key(random.nextInt(ids), spread);
                if (random.nextInt(10) < growing) {
                    retain(key);
                } else if (holders.containsKey(key)) {
                    release(key);
                }
            }
            assertThat(slots.size()).isEqualTo(holders.size());
            if (random.nextBoolean()) {
                List.copyOf(holders.keySet()).forEach(key -> {
                    while (holders.containsKey(key) && random.nextInt(20) > 0) {
                        release(key);
                    }
                });
            }
            if (slots.areSparse()) {
                slots.compact();
                assertThat(slots.bound()).isEqualTo(holders.size());
                order.renumber();
            }
            SlotPane<String, long[]> full =
                    new CellPane<>(Aggregations.counting(), 0, WindowSpec.tumbling(Duration.ofMillis(1)), 0, 0);
            holders.keySet().forEach(key -> full.addFirst(slots.find(key), "", slots.bound()));
            assertThat(walk(full)).isEqualTo(new ArrayList<>(new TreeMap<>(holders).keySet()));
        }
        List.copyOf(holders.keySet()).forEach(key -> {
            while (holders.containsKey(key)) {
                release(key);
            }
        });
        assertThat(slots.size()).isZero();
    }
}
