package io.fluxmark.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.apache.kafka.common.utils.ByteUtils;
import org.junit.jupiter.api.Test;

class VarintsTest {

    @Test
    void valuesAtByteBoundariesRoundTripAsKafkaWritesThem() {
        int cases = 0;
        for (int bit = 0; bit < 64; bit++) {
            for (long near = -2; near <= 2; near++) {
                assertRoundTrip((1L << bit) + near);
                assertRoundTrip(-(1L << bit) + near);
                cases += 2;
            }
        }
        assertRoundTrip(Long.MIN_VALUE);
        assertRoundTrip(Long.MAX_VALUE);
        assertRoundTrip(Integer.MIN_VALUE);
        assertRoundTrip(Integer.MAX_VALUE);
        System.out.println("varints at boundaries: " + (cases + 4) + " cases");
    }

    @Property
    void anyValueRoundTrips(@ForAll long value) {
        assertRoundTrip(value);
    }

    @Test
    void tooLongOrTooLargeIsRefused() {
        ByteBuffer endless = ByteBuffer.allocate(16);
        for (int i = 0; i < 16; i++) {
            endless.put((byte) 0x80);
        }
        assertThatThrownBy(() -> Varints.getInt(endless.duplicate().flip()))
                .isInstanceOf(MalformedBatchException.class);
        assertThatThrownBy(() -> Varints.getLong(endless.duplicate().flip()))
                .isInstanceOf(MalformedBatchException.class);
        ByteBuffer large = ByteBuffer.allocate(16);
        Varints.put(large, 1L + Integer.MAX_VALUE);
        assertThatThrownBy(() -> Varints.getInt(large.flip())).isInstanceOf(MalformedBatchException.class);
    }

    private static void assertRoundTrip(long value) {
        ByteBuffer ours = ByteBuffer.allocate(16);
        Varints.put(ours, value);
        ByteBuffer kafkas = ByteBuffer.allocate(16);
        ByteUtils.writeVarlong(value, kafkas);
        assertThat(ours.flip()).as("%d", value).isEqualTo(kafkas.flip());
        assertThat(Varints.sizeOf(value)).isEqualTo(ours.remaining());
        assertThat(Varints.getLong(ours.duplicate())).isEqualTo(value);
        if (value == (int) value) {
            assertThat(Varints.getInt(ours.duplicate())).isEqualTo((int) value);
        }
    }
}
