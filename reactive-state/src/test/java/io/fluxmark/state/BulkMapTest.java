package io.fluxmark.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Iterator;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import org.h2.mvstore.Cursor;
import org.h2.mvstore.MVStore;
import org.h2.mvstore.Page;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs of entries, put at once, between single puts, removals, commits and openings, against a tree in memory. */
class BulkMapTest {

    private static final int HISTORIES =
            System.getProperty("fluxmark.tier", "small").equals("thorough") ? 2_000 : 60;

    private static final int KEYS_PER_PAGE = 24;

    @TempDir
    Path directory;

    @Test
    void holdsWhatATreeHoldsAndCountsWhatIsUnsaved() throws Exception {
        long seed = 2026;
        long entries = 0;
        for (int history = 0; history < HISTORIES; history++) {
            Path file = directory.resolve("map-" + history);
            entries += new History(file, new Random(seed + history)).run();
            Files.delete(file);
        }
        System.out.printf("bulk map: %d histories, %d entries, seed %d%n", HISTORIES, entries, seed);
    }

    @Test
    void entriesAtTheEndFillPages() {
        try (Opened opened = new Opened(directory.resolve("rising"))) {
            BulkRun run = new BulkRun(opened.map);
            for (int i = 0; i < 240_000; i++) {
                run.put(key(i), new byte[30]);
            }
            run.flush();
            int leaves = Shape.of(opened.map).leaves;
            assertThat(leaves).isEqualTo(240_000 / KEYS_PER_PAGE);
        }
    }

    private static byte[] key(int number) {
        return ByteBuffer.allocate(Integer.BYTES).putInt(number).array();
    }

    /** A store with the map only. */
    private static final class Opened implements AutoCloseable {

        final MVStore store;
        final BulkMap map;

        Opened(Path file) {
            store = new MVStore.Builder()
                    .fileName(file.toString())
                    .autoCommitDisabled()
                    .autoCommitBufferSize(0)
                    .keysPerPage(KEYS_PER_PAGE)
                    .open();
            map = store.openMap("map", new BulkMap.Builder());
        }

        @Override
        public void close() {
            store.closeImmediately();
        }
    }

    private static final class History {

        private final Path file;
        private final Random random;
        private final NavigableMap<byte[], byte[]> tree = new TreeMap<>(Arrays::compareUnsigned);
        private final int range;
        private final int longest;
        private Opened opened;
        private int entries;
        private int last;

        History(Path file, Random random) {
            this.file = file;
            this.random = random;
            range = 1 << (3 + random.nextInt(14));
            longest = 1 << random.nextInt(11);
            opened = new Opened(file);
            opened.store.commit();
        }

        int run() {
            int steps = 1 + random.nextInt(30);
            for (int i = 0; i < steps; i++) {
                step();
                assertThat(opened.map.sizeAsLong()).isEqualTo(tree.size());
            }
            reopen();
            check();
            opened.close();
            return entries;
        }

        private void step() {
            switch (random.nextInt(8)) {
                case 0 -> removeSome();
                case 1 -> {
                    opened.store.commit();
                    check();
                }
                case 2 -> reopen();
                case 3 -> {
                    byte[] key = key(random.nextInt(range));
                    byte[] value = value();
                    opened.map.put(key, value);
                    tree.put(key, value);
                }
                case 4 -> putAll(last);
                default -> putAll(random.nextInt(range));
            }
        }

        /** From a key on, dense or with gaps. */
        private void putAll(int from) {
            int length = random.nextInt(longest + 1);
            int gap = 1 + random.nextInt(1 + random.nextInt(Math.max(1, range / longest) + 1));
            byte[][] keys = new byte[length][];
            byte[][] values = new byte[length][];
            int at = from;
            for (int i = 0; i < length; i++) {
                keys[i] = key(at);
                values[i] = value();
                tree.put(keys[i], values[i]);
                at += 1 + random.nextInt(gap);
            }
            long before = countedBeside();
            boolean wasEmpty = opened.map.isEmpty();
            opened.map.putAll(keys, values, length);
            if (!wasEmpty) { // H2 goes on counting an empty page when it is replaced
                assertThat(countedBeside()).isEqualTo(before);
            }
            last = Math.max(last, at);
            entries += length;
        }

        /** What the store counts as unsaved that is not of the map as it is. */
        private long countedBeside() {
            return opened.store.getUnsavedMemory() - Shape.of(opened.map).unsaved;
        }

        private void removeSome() {
            Iterator<byte[]> all =
                    tree.tailMap(key(random.nextInt(range))).keySet().iterator();
            for (int i = random.nextInt(100); i > 0 && all.hasNext(); i--) {
                opened.map.remove(all.next());
                all.remove();
            }
        }

        private byte[] value() {
            byte[] value = new byte[random.nextInt(50) == 0 ? random.nextInt(20_000) : random.nextInt(60)];
            random.nextBytes(value);
            return value;
        }

        private void reopen() {
            opened.store.commit();
            opened.close();
            opened = new Opened(file);
            opened.store.commit();
        }

        private void check() {
            Cursor<byte[], byte[]> cursor = opened.map.cursor(null);
            for (Map.Entry<byte[], byte[]> entry : tree.entrySet()) {
                assertThat(cursor.next()).isEqualTo(entry.getKey());
                assertThat(cursor.getValue()).isEqualTo(entry.getValue());
                assertThat(opened.map.get(entry.getKey())).isEqualTo(entry.getValue());
            }
            assertThat(cursor.hasNext()).isFalse();
        }
    }

    /** What the pages of a map are like. */
    private static final class Shape {

        private long unsaved;
        private int leaves;

        static Shape of(BulkMap map) {
            Shape shape = new Shape();
            shape.visit(map.getRootPage(), null, null);
            return shape;
        }

        /** All keys of a page rise, from the lowest to below the end. */
        private void visit(Page<byte[], byte[]> page, byte[] lowest, byte[] end) {
            unsaved += page.isSaved() || page.getTotalCount() == 0 ? 0 : page.getMemory();
            int keys = page.getKeyCount();
            assertThat(keys).isLessThanOrEqualTo(KEYS_PER_PAGE);
            byte[] before = lowest;
            for (int i = 0; i < keys; i++) {
                byte[] key = page.getKey(i);
                if (before != null) {
                    assertThat(Arrays.compareUnsigned(before, key)).isLessThanOrEqualTo(i == 0 ? 0 : -1);
                }
                before = key;
            }
            if (before != null && end != null) {
                assertThat(Arrays.compareUnsigned(before, end)).isNegative();
            }
            if (page.isLeaf()) {
                leaves++;
                return;
            }
            for (int i = 0; i <= keys; i++) {
                visit(page.getChildPage(i), i == 0 ? lowest : page.getKey(i - 1), i == keys ? end : page.getKey(i));
            }
        }
    }
}
