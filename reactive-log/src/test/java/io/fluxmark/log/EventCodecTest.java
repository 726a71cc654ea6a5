package io.fluxmark.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class EventCodecTest {

    private static final byte[] NO_TEXT = {'a', (byte) 0xC3, (byte) 0x28};

    @TempDir
    Path directory;

    record Order(String customer, long amount) {}

    @Test
    void jsonRoundTripsRecordsAndIgnoresWhatItDoesNotKnow() {
        EventCodec<Order> codec = EventCodec.json(Order.class, Order::customer);
        AppendRecord encoded = codec.encode(new Order("ada", 7));
        assertThat(encoded.key()).isEqualTo(Logs.bytes("ada"));
        assertThat(encoded.partition()).isEqualTo(AppendRecord.BY_KEY);
        assertThat(codec.decode(record(encoded.value()))).isEqualTo(new Order("ada", 7));
        assertThat(codec.decode(record(Logs.bytes("{\"customer\":\"b\",\"amount\":1,\"new\":true}"))))
                .isEqualTo(new Order("b", 1));
        assertThat(EventCodec.json(Order.class).encode(new Order("ada", 7)).key())
                .isNull();
    }

    @Property
    void jsonAndCborRoundTripAnyEvent(@ForAll String name, @ForAll long amount) {
        String customer = text(name);
        Order order = new Order(customer, amount);
        for (EventCodec<Order> codec :
                List.of(EventCodec.json(Order.class, Order::customer), EventCodec.cbor(Order.class, Order::customer))) {
            AppendRecord encoded = codec.encode(order);
            assertThat(codec.decode(record(encoded.value()))).isEqualTo(order);
            assertThat(encoded.key()).isEqualTo(Logs.bytes(customer));
        }
    }

    @Test
    void cborIsBinaryAndIgnoresWhatItDoesNotKnow() {
        record Newer(String customer, long amount, boolean urgent) {}
        AppendRecord encoded = EventCodec.cbor(Newer.class).encode(new Newer("ada", 7, true));
        assertThat(encoded.key()).isNull();
        assertThat(encoded.value()[0] & 0xE0).as("a CBOR map").isEqualTo(0xA0);
        assertThat(EventCodec.cbor(Order.class).decode(record(encoded.value()))).isEqualTo(new Order("ada", 7));
    }

    @Test
    void whatCannotBeDecodedIsAnErrorThatNamesPartitionAndOffset() {
        for (String bad : List.of("", "nonsense", "null", "[1]", "{\"amount\":1}{\"amount\":2}")) {
            refused(EventCodec.json(Order.class), Logs.bytes(bad), "JSON");
        }
        for (byte[] bad : List.of(new byte[0], new byte[] {(byte) 0xF6}, new byte[] {(byte) 0xA1}, NO_TEXT)) {
            refused(EventCodec.cbor(Order.class), bad, "CBOR");
        }
        refused(EventCodec.utf8(), NO_TEXT, "UTF-8");
        refused(EventCodec.int64(), new byte[7], "7 bytes");
        refused(EventCodec.int64(), new byte[9], "9 bytes");
        for (EventCodec<?> codec : List.of(
                EventCodec.json(Order.class),
                EventCodec.cbor(Order.class),
                EventCodec.utf8(),
                EventCodec.bytes(),
                EventCodec.int64())) {
            refused(codec, null, "tombstone");
        }
    }

    @Property
    void textRoundTrips(@ForAll String text) {
        String valid = text(text);
        assertThat(EventCodec.utf8()
                        .decode(record(EventCodec.utf8().encode(valid).value())))
                .isEqualTo(valid);
    }

    @Test
    void textMayHoldTheReplacementCharacter() {
        assertThat(EventCodec.utf8().decode(record(Logs.bytes("a\uFFFDb")))).isEqualTo("a\uFFFDb");
    }

    @Property
    void bytesAreTheValueItself(@ForAll byte[] bytes) {
        AppendRecord encoded = EventCodec.bytes().encode(bytes);
        assertThat(encoded.value()).isSameAs(bytes);
        assertThat(EventCodec.bytes().decode(record(bytes))).isSameAs(bytes);
    }

    @Test
    void numbersRoundTripAsEightBytesBigEndian() {
        int cases = 0;
        for (long each : LongStream.of(7, 8, 15, 16, 31, 32, 63)
                .map(bit -> 1L << bit)
                .flatMap(power -> LongStream.of(power - 1, power, power + 1, -power))
                .toArray()) {
            AppendRecord encoded = EventCodec.int64().encode(each);
            assertThat(encoded.value()).hasSize(8);
            assertThat(EventCodec.int64().decode(record(encoded.value()))).isEqualTo(each);
            cases++;
        }
        assertThat(EventCodec.int64().encode(258L).value()).containsExactly(0, 0, 0, 0, 0, 0, 1, 2);
        System.out.println("int64 at boundaries: " + cases + " cases");
    }

    @Test
    void aDecoderAloneCannotEncode() {
        EventCodec<Long> decoder = LogRecord::offset;
        assertThatThrownBy(() -> decoder.encode(1L))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("encode");
    }

    @Test
    void everyRecordThatCannotBeDecodedArrivesAsADeadLetterAndTheStreamGoesOn() {
        try (EventLog log = Logs.open(directory)) {
            Topic topic = log.createTopic("orders", 3).block(Logs.WAIT);
            EventCodec<Order> codec = EventCodec.json(Order.class);
            List<String> expected = new ArrayList<>();
            for (int i = 0; i < 300; i++) {
                int partition = i % 3;
                long offset = i / 3;
                boolean bad = i % 7 == 0 || i % 50 == 1;
                AppendRecord record = bad
                        ? AppendRecord.to(partition, i % 2 == 0 ? Logs.bytes("bad-" + i) : null)
                        : codec.encode(new Order("c", i)).withPartition(partition);
                Logs.append(topic, record);
                expected.add((bad ? "dead " : "order ") + partition + "/" + offset);
            }
            List<String> routed = new ArrayList<>();
            for (Partition partition : topic.partitions()) {
                partition
                        .readTo(0, partition.endOffset())
                        .map(codec::tryDecode)
                        .doOnNext(decoded -> routed.add(describe(decoded)))
                        .blockLast(Logs.WAIT);
            }
            assertThat(routed).containsExactlyInAnyOrderElementsOf(expected);
        }
    }

    @Test
    void aCodecThatAnswersNothingMakesADeadLetterToo() {
        EventCodec<Order> nothing = record -> null;
        assertThat(nothing.tryDecode(record(new byte[1])))
                .isInstanceOfSatisfying(DecodedRecord.DeadLetter.class, dead -> assertThat(dead.cause())
                        .hasMessageContaining("decoded to null"));
    }

    /** The same without lone halves of surrogate pairs, which are no text. */
    private static String text(String any) {
        return new String(Logs.bytes(any), StandardCharsets.UTF_8);
    }

    private static String describe(DecodedRecord<Order> decoded) {
        if (decoded instanceof DecodedRecord.DeadLetter<Order> dead) {
            assertThat(dead.cause())
                    .hasMessageContaining("offset " + dead.offset())
                    .hasMessageContaining("partition " + dead.partition());
            return "dead " + dead.partition() + "/" + dead.offset();
        }
        return "order " + decoded.record().partition() + "/" + decoded.record().offset();
    }

    private static void refused(EventCodec<?> codec, byte[] value, String message) {
        assertThatThrownBy(() -> codec.decode(record(value)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("offset 41")
                .hasMessageContaining("partition 6")
                .hasMessageContaining(message);
        assertThat(codec.tryDecode(record(value))).isInstanceOfSatisfying(DecodedRecord.DeadLetter.class, dead -> {
            assertThat(dead.offset()).isEqualTo(41);
            assertThat(dead.partition()).isEqualTo(6);
        });
    }

    private static LogRecord record(byte[] value) {
        return new LogRecord(6, 41, 0, null, value, List.of());
    }
}
