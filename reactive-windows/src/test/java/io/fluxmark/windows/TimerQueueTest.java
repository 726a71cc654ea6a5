package io.fluxmark.windows;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/** The timers of a lane against a sorted set. */
class TimerQueueTest {

    private static TimerQueue<String> queue(StateBackend backend, long watermark) {
        return new TimerQueue<>("op", backend, StateHeader.EMPTY, KeyCodec.tagged(), watermark);
    }

    /** Times of all magnitudes around {@code from}, mostly ahead. */
    private static long time(Random random, long from) {
        return from + random.nextInt(1 << (1 + random.nextInt(28))) - random.nextInt(20);
    }

    private static final class Run {

        private final Random random;
        private final Comparator<TimerKey<String>> order = new TimerKeyCodec<>(KeyCodec.<String>tagged()).order();
        private final TreeSet<TimerKey<String>> model = new TreeSet<>(order);
        private final boolean stored;
        private StoredState state = new StoredState();
        private TimerQueue<String> queue;
        private long watermark = -5_000;
        private final List<Long> used = new ArrayList<>(List.of(0L));

        Run(Random random, boolean stored) {
            this.random = random;
            this.stored = stored;
            this.queue = queue(stored ? state : StateBackend.heap(), watermark);
        }

        private long someTime() {
            if (random.nextBoolean()) {
                return used.get(random.nextInt(used.size()));
            }
            long time = time(random, watermark);
            used.add(time);
            return time;
        }

        /** {@code after}: only timers behind this one may be set. */
        private void change(TimerKey<String> after) {
            long time = someTime();
            String key = "k" + random.nextInt(5);
            TimerKey<String> timer = new TimerKey<>(time, key);
            if (random.nextInt(3) > 0) {
                if (after == null || time > after.time()) {
                    queue.set(time, key);
                    model.add(timer);
                }
            } else {
                assertThat(queue.delete(time, key)).as("%s", timer).isEqualTo(model.remove(timer));
            }
            assertThat(queue.size()).isEqualTo(model.size());
        }

        private void advance(long target) {
            boolean isDue = !model.isEmpty() && model.first().time() <= target;
            if (isDue) {
                assertThat(queue.isDue(target)).isTrue();
            }
            queue.advance(target);
            watermark = target;
            for (TimerKey<String> timer = queue.poll(); timer != null; timer = queue.poll()) {
                assertThat(timer).isEqualTo(model.pollFirst());
                if (target != Watermark.END && random.nextInt(3) == 0) {
                    change(timer);
                }
            }
            assertThat(model.isEmpty() || model.first().time() > target).isTrue();
            queue.finish();
            assertThat(queue.size()).isEqualTo(model.size());
        }

        void take(int steps) {
            for (int i = 0; i < steps; i++) {
                switch (random.nextInt(12)) {
                    case 0 -> advance(Math.max(watermark, time(random, watermark)));
                    case 1 -> advance(watermark + random.nextInt(3));
                    case 2 -> queue.flush(state.begin());
                    case 3 -> restart();
                    default -> {
                        change(null);
                        if (queue.isDue(watermark)) {
                            advance(watermark);
                        }
                    }
                }
            }
            advance(Watermark.END);
            assertThat(model).isEmpty();
            assertThat(queue.stored()).isZero();
        }

        private void restart() {
            if (stored) {
                queue.flush(state.begin());
                state = state.restarted();
                queue = queue(state, watermark);
                assertThat(queue.size()).isEqualTo(model.size());
            }
        }
    }

    @Property
    void timersComeInTheOrderOfTimeAndKeyAsFromASortedSet(@ForAll Random random) {
        for (boolean stored : new boolean[] {false, true}) {
            new Run(random, stored).take(300);
        }
    }

    @Test
    void manyTimersAheadShareFewPanesAndGoWithThem() {
        StoredState state = new StoredState();
        TimerQueue<String> queue = queue(state, 0);
        Random random = new Random(5);
        long year = 365L * 86_400_000;
        for (int i = 0; i < 50_000; i++) {
            queue.set(1 + (long) (random.nextDouble() * year), "k" + i);
        }
        queue.flush(state.begin());
        long panes = state.panes("op");
        assertThat(panes).isLessThan(1_500);
        long watermark = 0;
        int called = 0;
        while (watermark < year) {
            watermark += random.nextInt(10_000_000);
            queue.advance(watermark);
            while (queue.poll() != null) {
                called++;
            }
            queue.finish();
        }
        assertThat(called).isEqualTo(50_000);
        assertThat(queue.size()).isZero();
        assertThat(queue.stored()).isLessThan(200);
        queue.flush(state.begin());
        System.out.printf("50,000 timers over a year in %d panes, seed 5%n", panes);
    }
}
