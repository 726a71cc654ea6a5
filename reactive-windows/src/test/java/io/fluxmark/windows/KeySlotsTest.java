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
import java.util.function.IntFunction;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Keys, their slots and their order, against maps. */
class KeySlotsTest {

    /** Undoes the multiplication that spreads longs. */
    private static final long INVERSE = 0xF1DE83E19937733DL;

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

    /** What is tested, and how many panes hold something for each key. */
    private record Subject<K extends Comparable<K>>(
            KeySlots<K> slots, KeyOrder order, Map<K, Integer> holders, IntFunction<K> keys, int ids) {

        Subject(KeySlots<K> slots, IntFunction<K> keys, int ids) {
            this(slots, new KeyOrder(slots), new HashMap<>(), keys, ids);
        }

        void check(Random random) {
            for (int phase = 0; phase < 4; phase++) {
                int growing = random.nextInt(10);
                for (int step = random.nextInt(ids); step > 0; step--) {
                    K key = keys.apply(random.nextInt(ids));
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
                if (random.nextInt(10) == 0) {
                    slots.clear();
                    order.renumber();
                    holders.clear();
                }
                if (slots.areSparse()) {
                    slots.compact();
                    assertThat(slots.bound()).isEqualTo(holders.size());
                    order.renumber();
                }
                assertThat(walk()).isEqualTo(new ArrayList<>(new TreeMap<>(holders).keySet()));
            }
            List.copyOf(holders.keySet()).forEach(key -> {
                while (holders.containsKey(key)) {
                    release(key);
                }
            });
            assertThat(slots.size()).isZero();
        }

        private void retain(K key) {
            int slot = slots.find(key);
            assertThat(slot == KeySlots.NONE).isEqualTo(!holders.containsKey(key));
            if (slot == KeySlots.NONE) {
                slot = slots.assign(key);
                order.add(slot);
            }
            slots.retain(slot);
            assertThat(slots.key(slot)).isEqualTo(key);
            holders.merge(key, 1, Integer::sum);
        }

        private void release(K key) {
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

        private List<K> walk() {
            SlotPane<String, long[]> full =
                    new CellPane<>(Aggregations.counting(), 0, WindowSpec.tumbling(Duration.ofMillis(1)), 0, 0);
            holders.keySet().forEach(key -> full.addFirst(slots.find(key), "", slots.bound()));
            order.begin(List.of(full));
            List<K> walked = new ArrayList<>();
            for (int slot : order.slots(0, order.size())) {
                walked.add(slots.key(slot));
            }
            return walked;
        }
    }

    @Property
    void keysHaveSlotsOfTheirOwnAsLongAsTheyAreHeld(@ForAll Random random, @ForAll("spreads") int spread) {
        new Subject<>(
                        new HashedSlots<Key>(Comparator.naturalOrder()),
                        id -> new Key(id, spread),
                        spread == 1 ? 300 : 3_000)
                .check(random);
    }

    @Property
    void soDoKeysThatAreLongsAlsoWhereAllOfThemCollide(@ForAll Random random, @ForAll boolean colliding) {
        IntFunction<Long> keys = id -> colliding ? (id - 100) * INVERSE : (id - 100) * 7L;
        new Subject<>(new LongSlots(), keys, colliding ? 300 : 3_000).check(random);
    }
}
