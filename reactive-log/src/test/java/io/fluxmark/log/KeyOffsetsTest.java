package io.fluxmark.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class KeyOffsetsTest {

    @Test
    void itKnowsWhatAMapKnowsAlsoOfKeysWithTheSameHash() {
        Random random = new Random(7);
        KeyOffsets offsets = new KeyOffsets(1 << 20);
        Map<String, Long> expected = new HashMap<>();
        for (long offset = 0; offset < 20_000; offset++) {
            // "Aa" and "BB" have one hash, and so has every string of them.
            StringBuilder key = new StringBuilder();
            for (int i = random.nextInt(12); i > 0; i--) {
                key.append(random.nextBoolean() ? "Aa" : "BB");
            }
            put(offsets, key.toString(), offset);
            expected.put(key.toString(), offset);
        }
        expected.forEach((key, offset) -> assertThat(get(offsets, key)).isEqualTo(offset));
        assertThat(offsets.size()).isEqualTo(expected.size());
        assertThat(get(offsets, "Ab")).isEqualTo(KeyOffsets.NONE);
        assertThat(get(offsets, "AaBBx")).isEqualTo(KeyOffsets.NONE);
    }

    @Test
    void itIsFullWhenItsBytesAreUsedUp() {
        KeyOffsets offsets = new KeyOffsets(1024);
        int count = 0;
        while (!offsets.isFull()) {
            put(offsets, "key-" + count, count);
            count++;
        }
        assertThat(count).isBetween(28, 36);
        put(offsets, "key-0", 1000);
        assertThat(get(offsets, "key-0")).isEqualTo(1000);
        assertThat(offsets.size()).isEqualTo(count);
    }

    private static void put(KeyOffsets offsets, String key, long offset) {
        byte[] bytes = Logs.bytes(">" + key + "<");
        offsets.put(ByteBuffer.wrap(bytes), 1, bytes.length - 2, offset);
    }

    private static long get(KeyOffsets offsets, String key) {
        byte[] bytes = Logs.bytes(key);
        return offsets.get(ByteBuffer.wrap(bytes), 0, bytes.length);
    }
}
