package io.fluxmark.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Changes against a tree of them, in order, out of order, and mixed. */
class TableChangesTest {

    private static final int HISTORIES =
            System.getProperty("fluxmark.tier", "small").equals("thorough") ? 20_000 : 500;

    @Test
    void saysWhatATreeSays() {
        long seed = 2026;
        long changes = 0;
        for (int history = 0; history < HISTORIES; history++) {
            changes += new History(new Random(seed + history)).run();
        }
        System.out.printf("table changes: %d histories, %d changes, seed %d%n", HISTORIES, changes, seed);
    }

    private static final class History {

        private final Random random;
        private final TableChanges changes = new TableChanges();
        private final NavigableMap<byte[], Optional<byte[]>> tree = new TreeMap<>(Arrays::compareUnsigned);
        private final int disorder;
        private int next;

        History(Random random) {
            this.random = random;
            this.disorder = random.nextInt(4);
        }

        int run() {
            int steps = 1 + random.nextInt(200);
            for (int i = 0; i < steps; i++) {
                if (random.nextInt(20) == 0) {
                    forget();
                } else {
                    byte[] key = key();
                    byte[] frame = random.nextInt(5) == 0 ? null : frame();
                    changes.put(key, frame);
                    tree.put(key, Optional.ofNullable(frame));
                }
                check();
            }
            return steps;
        }

        /** Rising, with so many in ten that are anywhere. */
        private byte[] key() {
            if (random.nextInt(10) < disorder * 3) {
                return bytes(random.nextInt(next + 2));
            }
            next += 1 + random.nextInt(3);
            return bytes(next);
        }

        /** Short ones as a rule; now and then one that takes a block, so that what is replaced has to be cleared away. */
        private byte[] frame() {
            byte[] frame = new byte[random.nextInt(100) == 0 ? random.nextInt(100_000) : random.nextInt(9)];
            random.nextBytes(frame);
            return frame;
        }

        private static byte[] bytes(int number) {
            return new byte[] {(byte) (number >> 8), (byte) number};
        }

        private void forget() {
            int from = random.nextInt(next + 2);
            byte[] low = bytes(from);
            byte[] high = bytes(from + random.nextInt(10));
            boolean any = !tree.subMap(low, true, high, false).isEmpty();
            assertThat(changes.holdsAny(low, high)).isEqualTo(any);
            changes.forget(low, high);
            tree.subMap(low, true, high, false).clear();
        }

        private void check() {
            assertThat(changes.size()).isEqualTo(tree.size());
            long bytes = 0;
            for (Map.Entry<byte[], Optional<byte[]>> entry : tree.entrySet()) {
                byte[] frame = entry.getValue().orElse(null);
                bytes += TableChanges.OVERHEAD + entry.getKey().length + (frame == null ? 0 : frame.length);
                assertThat(changes.holds(entry.getKey())).isTrue();
                assertThat(changes.frame(entry.getKey())).isEqualTo(frame);
            }
            assertThat(changes.bytes()).isEqualTo(bytes);
            if (!tree.isEmpty()) {
                assertThat(changes.firstKey()).isEqualTo(tree.firstKey());
                assertThat(changes.lastKey()).isEqualTo(tree.lastKey());
            }
            byte[] absent = bytes(next + 1);
            assertThat(changes.holds(absent)).isEqualTo(tree.containsKey(absent));
            List<String> handed = new ArrayList<>();
            changes.forEach((key, frame) -> handed.add(text(key, frame)));
            List<String> expected = new ArrayList<>();
            tree.forEach((key, frame) -> expected.add(text(key, frame.orElse(null))));
            assertThat(handed).isEqualTo(expected);
        }

        private static String text(byte[] key, byte[] frame) {
            return HexFormat.of().formatHex(key) + " "
                    + (frame == null ? "none" : frame.length + " " + Arrays.hashCode(frame));
        }
    }
}
