package io.fluxmark.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class CborCodecTest {

    record Total(String name, long amount, List<Integer> parts) {}

    record Other(String title) {}

    private static final CborCodec<Total> CODEC = CborCodec.of(Total.class);

    @Test
    void recordsComeBackAtByteBoundaries() {
        for (long amount : new long[] {
            0, -1, 1L << 7, 1L << 8, 1L << 15, 1L << 16, 1L << 24, 1L << 31, 1L << 32, Long.MIN_VALUE, Long.MAX_VALUE
        }) {
            Total total = new Total("n\u00e4me \uD83D\uDE00", amount, List.of(1, 2, (int) amount));
            assertThat(CODEC.decode(CODEC.encode(total))).isEqualTo(total);
        }
        assertThat(CODEC.id()).isEqualTo("cbor:" + Total.class.getName());
    }

    @Test
    void foreignBytesAreRefused() {
        byte[] bytes = CODEC.encode(new Total("a", 1, List.of()));
        assertThatThrownBy(() -> CODEC.decode(Arrays.copyOf(bytes, bytes.length - 1)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> CODEC.decode(Arrays.copyOf(bytes, bytes.length + 3)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> CODEC.decode(CborCodec.of(Other.class).encode(new Other("b"))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Total");
        assertThatThrownBy(() -> CODEC.decode(new byte[] {(byte) 0xF6})).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> CODEC.decode(new byte[0])).isInstanceOf(IllegalArgumentException.class);
    }
}
