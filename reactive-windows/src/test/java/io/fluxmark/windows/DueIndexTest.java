package io.fluxmark.windows;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.jspecify.annotations.Nullable;

/** Every key comes when it is due, in order, however it was filed before. */
class DueIndexTest {

    /** When the windows of each key are due, and where the index has the key. */
    private final Map<Integer, Long> due = new HashMap<>();

    private final Map<Integer, Long> filed = new HashMap<>();
    private final Map<Integer, LiveWindows<Integer, long[]>> windows = new HashMap<>();

    private @Nullable DueIndex<Integer, long[]> made;

    private DueIndex<Integer, long[]> index() {
        if (made == null) {
            throw new IllegalStateException("the index is made first");
        }
        return made;
    }

    private void make(@Nullable Comparator<Integer> ties, long width, long wideWidth) {
        due.clear();
        filed.clear();
        PaneStore<Integer, Long> store =
                StateBackend.heap().panes("w/ends", KeyCodec.<Integer>tagged(), Codec.longs(), null);
        made = new DueIndex<>(store, ties, width, wideWidth, ArrayList::new, (seen, place) -> {
            int key = seen.key();
            if (Long.valueOf(place).equals(filed.get(key))) {
                file(key);
            }
        });
    }

    private void file(int key) {
        LiveWindows<Integer, long[]> of = windows.computeIfAbsent(key, LiveWindows::ofKey);
        filed.put(key, index().file(due.getOrDefault(key, 0L), of));
    }

    @Property
    void keysComeWhenTheyAreDue(@ForAll Random random) {
        int keys = 1 + random.nextInt(60);
        long width = 1L << random.nextInt(8);
        make(random.nextBoolean() ? Comparator.naturalOrder() : null, width, width << random.nextInt(4));
        long watermark = 0;
        for (int step = random.nextInt(200); step > 0; step--) {
            int key = random.nextInt(keys);
            long next = watermark + 1 + random.nextInt(1 << random.nextInt(14));
            Long before = due.put(key, next);
            if (before == null || next < filed.getOrDefault(key, Long.MAX_VALUE)) {
                file(key); // what is due later only goes on lying where it lies
            }
            if (random.nextInt(8) == 0) {
                watermark += random.nextInt(1 << random.nextInt(14));
                advance(watermark);
            }
        }
        advance(Watermark.END - 1);
        assertThat(due).isEmpty();
        assertThat(index().size()).isZero();
    }

    private void advance(long watermark) {
        List<Long> came = new ArrayList<>();
        while (index().advance(watermark)) {
            long at = index().due();
            int key = index().poll().key();
            if (Long.valueOf(at).equals(filed.get(key))) {
                if (due.getOrDefault(key, 0L) > at) {
                    file(key);
                } else {
                    assertThat(due.remove(key)).isEqualTo(at);
                    filed.remove(key);
                    came.add(at);
                }
            }
        }
        assertThat(came).isSorted();
        assertThat(due.values()).allMatch(at -> at > watermark);
        assertThat(index().isDue(watermark)).isFalse();
    }
}
