package io.fluxmark.quickstart.plain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class PlainPartitionsTest {

    /** The values that Kafka's own tests expect. */
    @Test
    void theHashIsKafkas() {
        assertThat(hash("21")).isEqualTo(-973932308);
        assertThat(hash("foobar")).isEqualTo(-790332482);
        assertThat(hash("a-little-bit-long-string")).isEqualTo(-985981536);
        assertThat(hash("a-little-bit-longer-string")).isEqualTo(-1486304829);
        assertThat(hash("lkjh234lh9fiuh90y23oiuhsafujhadof229phr9h19h89h8")).isEqualTo(-58897971);
        assertThat(PlainPartitions.murmur2(new byte[] {'a', 'b', 'c'})).isEqualTo(479470107);
    }

    @Test
    void noPartitionsAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new PlainPartitions(0))
                .withMessageContaining("0");
    }

    private static int hash(String text) {
        return PlainPartitions.murmur2(text.getBytes(StandardCharsets.UTF_8));
    }
}
