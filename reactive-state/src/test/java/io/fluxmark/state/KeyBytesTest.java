package io.fluxmark.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class KeyBytesTest {

    private static final long[] BOUNDARIES = {
        0, 1, -1, 1L << 7, 1L << 8, 1L << 15, 1L << 16, 1L << 24, 1L << 31, 1L << 32, Long.MIN_VALUE, Long.MAX_VALUE
    };

    @Property
    void partsComeBackInOrder(
            @ForAll byte tag,
            @ForAll int i,
            @ForAll long l,
            @ForAll byte[] bytes,
            @ForAll String text,
            @ForAll byte[] raw) {
        String valid = new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
        byte[] key = KeyBytes.key()
                .add(tag)
                .add(i)
                .add(l)
                .add(bytes)
                .add(valid)
                .addRaw(raw)
                .toBytes();
        KeyReader reader = new KeyReader(key);
        assertThat(reader.readByte()).isEqualTo(tag);
        assertThat(reader.readInt()).isEqualTo(i);
        assertThat(reader.readLong()).isEqualTo(l);
        assertThat(reader.readBytes()).isEqualTo(bytes);
        assertThat(reader.readString()).isEqualTo(valid);
        assertThat(reader.readRest()).isEqualTo(raw);
        assertThat(reader.atEnd()).isTrue();
    }

    @Property
    void encodedOrderIsTheOrderOfTheParts(
            @ForAll byte[] one, @ForAll byte[] two, @ForAll long first, @ForAll long second) {
        int byBytes = Arrays.compareUnsigned(one, two);
        int expected = byBytes != 0 ? byBytes : Long.compare(first, second);
        int encoded = KeyBytes.compare(
                KeyBytes.key().add(one).add(first).toBytes(),
                KeyBytes.key().add(two).add(second).toBytes());
        assertThat(Integer.signum(encoded)).isEqualTo(Integer.signum(expected));
    }

    @Test
    void numbersKeepTheirOrderAtByteBoundaries() {
        for (long one : BOUNDARIES) {
            assertThat(new KeyReader(KeyBytes.key().add(one).toBytes()).readLong())
                    .isEqualTo(one);
            assertThat(new KeyReader(KeyBytes.key().add((int) one).toBytes()).readInt())
                    .isEqualTo((int) one);
            for (long two : BOUNDARIES) {
                assertThat(Integer.signum(KeyBytes.compare(
                                KeyBytes.key().add(one).toBytes(),
                                KeyBytes.key().add(two).toBytes())))
                        .isEqualTo(Long.compare(one, two));
            }
        }
    }

    @Property
    void endOfPrefixIsTheSmallestKeyBeyondTheRange(@ForAll byte[] prefix, @ForAll byte[] tail) {
        byte[] end = KeyBytes.endOfPrefix(prefix);
        byte[] inside = KeyBytes.key().addRaw(prefix).addRaw(tail).toBytes();
        if (end == null) {
            for (byte b : prefix) {
                assertThat(b).isEqualTo((byte) 0xFF);
            }
        } else {
            assertThat(KeyBytes.compare(inside, end)).isNegative();
            assertThat(KeyBytes.compare(end, prefix)).isPositive();
            assertThat(end.length <= prefix.length && !Arrays.equals(end, Arrays.copyOf(prefix, end.length)))
                    .isTrue();
        }
        assertThat(KeyBytes.compare(KeyBytes.successor(prefix), prefix)).isPositive();
    }

    @Test
    void foreignBytesAreRefusedWithTheirContent() {
        assertThatThrownBy(() -> new KeyReader(new byte[] {1, 2}).readLong())
                .isInstanceOf(StateStoreException.class)
                .hasMessageContaining("0102");
        assertThatThrownBy(() -> new KeyReader(new byte[] {'a', 0, 7}).readBytes())
                .isInstanceOf(StateStoreException.class);
        assertThatThrownBy(() -> new KeyReader(new byte[] {'a'}).readBytes()).isInstanceOf(StateStoreException.class);
    }

    @Test
    void everyFlippedBitOfAFrameAndOfItsKeyIsNoticed() {
        byte[] value = Stores.bytes("the value");
        byte[] key = Stores.bytes("key");
        byte[] row = ValueFrame.ofRow(key, 3, 1L << 40, value);
        byte[] ahead = AheadFrame.of(key, new AheadId(3, 7, 1L << 40), row, ValueFrame.of(key, key));
        assertThat(AheadFrame.settled(key, ahead)).isEqualTo(row);
        for (byte[] frame : new byte[][] {ValueFrame.of(key, value), row, ahead}) {
            assertThat(ValueFrame.open("rows", key, frame)).isEqualTo(value);
            for (int bit = 0; bit < frame.length * 8; bit++) {
                byte[] damaged = frame.clone();
                damaged[bit / 8] ^= (byte) (1 << (bit % 8));
                assertThatThrownBy(() -> ValueFrame.open("rows", key, damaged))
                        .isInstanceOf(CorruptValueException.class);
            }
            for (int bit = 0; bit < key.length * 8; bit++) {
                byte[] other = key.clone();
                other[bit / 8] ^= (byte) (1 << (bit % 8));
                assertThatThrownBy(() -> ValueFrame.open("rows", other, frame))
                        .isInstanceOf(CorruptValueException.class);
            }
            for (int length = 0; length < frame.length; length++) {
                byte[] cut = Arrays.copyOf(frame, length);
                assertThatThrownBy(() -> ValueFrame.open("rows", key, cut)).isInstanceOf(CorruptValueException.class);
            }
        }
    }
}
