package io.fluxmark.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class EventCodecTest {

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

    @Test
    void whatIsNoJsonIsAnErrorThatNamesTheOffset() {
        EventCodec<Order> codec = EventCodec.json(Order.class);
        for (String bad : List.of("", "nonsense", "null", "[1]")) {
            assertThatThrownBy(() -> codec.decode(record(Logs.bytes(bad))))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("offset 41");
        }
    }

    @Test
    void textRoundTripsAndADecoderAloneCannotEncode() {
        assertThat(EventCodec.utf8()
                        .decode(record(EventCodec.utf8().encode("grüße").value())))
                .isEqualTo("grüße");
        EventCodec<Long> decoder = LogRecord::offset;
        assertThatThrownBy(() -> decoder.encode(1L))
                .isInstanceOf(UnsupportedOperationException.class)
                .hasMessageContaining("encode");
    }

    private static LogRecord record(byte[] value) {
        return new LogRecord(6, 41, 0, null, value, List.of());
    }
}
