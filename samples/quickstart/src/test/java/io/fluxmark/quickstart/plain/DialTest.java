package io.fluxmark.quickstart.plain;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class DialTest {

    private static final PlainPartitions ONE = new PlainPartitions(1);

    /** Windows of 10. The flight at 7 comes in at 21, when 12 and 21 have been seen. */
    private static final List<Flight> FLIGHTS = new FlightScript()
            .flight("E", 1, 2, 0)
            .flight("X", 12, 14, 0)
            .flight("X", 21, 20, 0)
            .flight("E", 7, 21, 0)
            .flight("X", 32, 33, 0)
            .flights();

    @Test
    void withoutDelayResultsComeSoonAndMissTheStraggler() {
        Dial.Position position = Dial.at(FLIGHTS, ONE, 0, 0, 10);

        assertThat(position.complete()).isEqualTo(4 / 5.0);
        assertThat(position.dropped()).isEqualTo(1);
        // E [0,10) at 14, X [10,20) at 20, X [20,30) at 33; X [30,40) is closed by the end of the file only.
        assertThat(position.waitMedianMillis()).isEqualTo(3);
        assertThat(position.waitP99Millis()).isEqualTo(4);
    }

    @Test
    void latenessTurnsADropIntoACorrection() {
        Dial.Position position = Dial.at(FLIGHTS, ONE, 0, 20, 10);

        assertThat(position.refired()).isEqualTo(1);
        assertThat(position.dropped()).isZero();
        assertThat(position.complete()).isEqualTo(4 / 5.0);
    }

    @Test
    void aLongerDelayWaitsForTheStraggler() {
        Dial.Position position = Dial.at(FLIGHTS, ONE, 12, 0, 10);

        assertThat(position.complete()).isEqualTo(1);
        assertThat(position.dropped()).isZero();
        // E [0,10) and X [10,20) both at 33: after 21 the watermark was 8, after 32 it is 19.
        assertThat(position.waitMedianMillis()).isEqualTo(13);
        assertThat(position.waitP99Millis()).isEqualTo(23);
    }

    @Test
    void anAirportsFirstFlightAfterTheFiringIsItsFirstResult() {
        List<Flight> flights = new FlightScript()
                .flight("X", 5, 5, 0)
                .flight("X", 11, 12, 0)
                .flight("E", 9, 18, 0)
                .flights();

        Dial.Position position = Dial.at(flights, ONE, 0, 100, 10);

        assertThat(position.refired()).isEqualTo(1);
        assertThat(position.waitMedianMillis()).isEqualTo(2);
        assertThat(position.waitP99Millis()).isEqualTo(8);
    }
}
