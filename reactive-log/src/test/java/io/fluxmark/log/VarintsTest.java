package io.fluxmark.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.BufferUnderflowException;
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
        assertThatThrownBy(() -> new ByteInput(endless.duplicate().flip()).getVarint())
                .isInstanceOf(MalformedBatchException.class);
        assertThatThrownBy(() -> new ByteInput(endless.duplicate().flip()).getVarlong())
                .isInstanceOf(MalformedBatchException.class);
        ByteBuffer large = ByteBuffer.allocate(16);
        Varints.put(large, 1L + Integer.MAX_VALUE);
        assertThatThrownBy(() -> Varints.getInt(large.flip())).isInstanceOf(MalformedBatchException.class);
        assertThatThrownBy(() -> new ByteInput(large.rewind()).getVarint()).isInstanceOf(MalformedBatchException.class);
    }

    @Test
    void nothingBehindTheLimitIsRead() {
        ByteBuffer bytes =
                ByteBuffer.allocate(16).put(3, (byte) 0x80).position(3).limit(4);
        ByteInput cut = new ByteInput(bytes);
        assertThatThrownBy(cut::getVarint).isInstanceOf(BufferUnderflowException.class);
        ByteInput two = new ByteInput(bytes.duplicate().limit(5));
        assertThat(two.remaining()).isEqualTo(2);
        assertThatThrownBy(() -> two.get(3)).isInstanceOf(BufferUnderflowException.class);
        assertThatThrownBy(() -> two.position(two.position() + 3)).isInstanceOf(BufferUnderflowException.class);
        assertThat(two.get(2)).containsExactly(0x80, 0);
        assertThatThrownBy(two::get).isInstanceOf(BufferUnderflowException.class);
    }

    private static void assertRoundTrip(long value) {
        ByteBuffer ours = ByteBuffer.allocate(16);
        Varints.put(ours, value);
        ByteBuffer kafkas = ByteBuffer.allocate(16);
        ByteUtils.writeVarlong(value, kafkas);
        assertThat(ours.flip()).as("%d", value).isEqualTo(kafkas.flip());
        assertThat(Varints.sizeOf(value)).isEqualTo(ours.remaining());
        assertThat(Varints.getLong(ours.duplicate())).isEqualTo(value);
        assertThat(new ByteInput(ours).getVarlong()).isEqualTo(value);
        if (value == (int) value) {
            assertThat(new ByteInput(inDirectMemory(ours)).getVarint()).isEqualTo((int) value);
            assertThat(Varints.getInt(ours.duplicate())).isEqualTo((int) value);
        }
    }

    private static ByteBuffer inDirectMemory(ByteBuffer bytes) {
        return ByteBuffer.allocateDirect(16).put(bytes.duplicate()).flip();
    }
}
