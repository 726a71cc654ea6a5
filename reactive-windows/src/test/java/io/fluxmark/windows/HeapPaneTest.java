package io.fluxmark.windows;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.Tuple;
import net.jqwik.api.Tuple.Tuple2;

class HeapPaneTest {

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
    Arbitrary<List<Tuple2<Integer, Boolean>>> steps() {
        return Arbitraries.integers()
                .between(0, 200)
                .flatMap(id -> Arbitraries.of(true, true, true, false).map(add -> Tuple.of(id, add)))
                .list()
                .ofMinSize(1)
                .ofMaxSize(600);
    }

    @Property
    void aPaneIsAMapHoweverItsKeysCollide(
            @ForAll("steps") List<Tuple2<Integer, Boolean>> steps, @ForAll("spreads") int spread) {
        HeapPane<Key, String> pane =
                new HeapPane<>(0, 10, Comparator.comparing((PaneEntry<Key, String> entry) -> entry.key), spread);
        TreeMap<Key, PaneEntry<Key, String>> model = new TreeMap<>();
        for (Tuple2<Integer, Boolean> step : steps) {
            Key key = new Key(step.get1(), spread);
            assertThat(pane.find(key)).isSameAs(model.get(key));
            if (step.get2()) {
                PaneEntry<Key, String> entry = pane.update(key);
                PaneEntry<Key, String> known = model.putIfAbsent(key, entry);
                assertThat(entry.key).isEqualTo(key);
                assertThat(known).isIn(null, entry);
            } else {
                pane.remove(key);
                model.remove(key);
            }
            assertThat(pane.size()).isEqualTo(model.size());
        }
        assertThat(walk(pane)).isEqualTo(new ArrayList<>(model.values()));
    }

    @Provide
    Arbitrary<Integer> spreads() {
        return Arbitraries.of(1, 3, 20, 1_000);
    }

    private static List<PaneEntry<Key, String>> walk(HeapPane<Key, String> pane) {
        List<PaneEntry<Key, String>> all = new ArrayList<>();
        Pane.Walk<Key, String> walk = pane.walk();
        while (walk.next(all, 7)) {
            assertThat(all.size() % 7 == 0 || all.size() == pane.size()).isTrue();
        }
        return all;
    }
}
