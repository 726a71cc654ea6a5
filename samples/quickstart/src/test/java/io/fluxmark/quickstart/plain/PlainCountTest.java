package io.fluxmark.quickstart.plain;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PlainCountTest {

    private static final List<Flight> FLIGHTS = new FlightScript()
            .flight("E", 9, 10, 4)
            .flight("E", 10, 10, 7)
            .flight("E", -1, 3, -2)
            .flight("F", 3, 3, 0)
            .flights();

    @Test
    void windowsAreHalfOpenAndReachBelowTheEpoch() {
        Map<Cell, Tally> cells = PlainCount.count(FLIGHTS, Flight::eventMillis, 10);

        assertThat(cells.keySet())
                .containsExactlyInAnyOrder(new Cell("E", 0), new Cell("E", 10), new Cell("E", -10), new Cell("F", 0));
    }

    @Test
    void theClockDecidesTheWindow() {
        Map<Cell, Tally> cells = PlainCount.count(FLIGHTS, Flight::arrivalMillis, 10);

        assertThat(cells.keySet()).containsExactlyInAnyOrder(new Cell("E", 10), new Cell("E", 0), new Cell("F", 0));
        assertThat(cells.get(new Cell("E", 10)).count()).isEqualTo(2);
        assertThat(cells.get(new Cell("E", 10)).averageDelay()).isEqualTo(5.5);
    }

    @Test
    void onlyWhatIsLetThroughIsCounted() {
        assertThat(PlainCount.count(FLIGHTS, Flight::eventMillis, 10, flight -> flight.delayMinutes() > 5))
                .containsOnlyKeys(new Cell("E", 10));
    }
}
