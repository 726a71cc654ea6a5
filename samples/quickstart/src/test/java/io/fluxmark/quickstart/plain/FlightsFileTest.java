package io.fluxmark.quickstart.plain;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class FlightsFileTest {

    private static final String HEADER = "arrival_ms,event_ms,delay_min,distance_mi,origin,destination\n";

    @Test
    void theBundledFileIsInOrderOfArrival() {
        List<Flight> flights = FlightsFile.bundled();

        assertThat(flights).hasSize(228_740);
        assertThat(flights.get(0)).isEqualTo(new Flight(1, 978306180000L, 978307380000L, -20, 1946, "LAX", "ATL"));
        for (int i = 1; i < flights.size(); i++) {
            assertThat(flights.get(i).row()).isEqualTo(i + 1L);
            assertThat(flights.get(i).arrivalMillis())
                    .isGreaterThanOrEqualTo(flights.get(i - 1).arrivalMillis());
        }
    }

    @Test
    void aBadRowIsNamed() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> FlightsFile.read(csv(HEADER + "1,2,3,4,AAA,BBB\n1,x,3,4,AAA,BBB\n")))
                .withMessageContaining("Row 2")
                .withMessageContaining("1,x,3,4");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> FlightsFile.read(csv(HEADER + "1,2,3,4,AAA\n")))
                .withMessageContaining("5 fields");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> FlightsFile.read(csv("a,b\n")))
                .withMessageContaining("a,b");
    }

    private static InputStream csv(String text) {
        return new ByteArrayInputStream(text.getBytes(StandardCharsets.US_ASCII));
    }
}
