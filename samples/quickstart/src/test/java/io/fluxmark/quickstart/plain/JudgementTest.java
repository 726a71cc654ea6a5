package io.fluxmark.quickstart.plain;

import static io.fluxmark.quickstart.plain.Verdict.DROPPED;
import static io.fluxmark.quickstart.plain.Verdict.ON_TIME;
import static io.fluxmark.quickstart.plain.Verdict.REFIRED;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class JudgementTest {

    private static final PlainPartitions ONE = new PlainPartitions(1);

    /** S12 (E3): e1, e5, W12, e7, W18, e2, W19, e3; the airport X moves the watermark. */
    private static final List<Flight> S12 = new FlightScript()
            .flight("E", 1)
            .flight("E", 5)
            .flight("X", 13)
            .flight("E", 7)
            .flight("X", 19)
            .flight("E", 2)
            .flight("X", 20)
            .flight("E", 3)
            .flights();

    @Test
    void withoutLatenessEverythingBehindAFiredWindowIsDropped() {
        Judgement judgement = Judgement.of(S12, ONE, 0, 0, 10);

        assertThat(S12.stream().map(judgement::on))
                .containsExactly(ON_TIME, ON_TIME, ON_TIME, DROPPED, ON_TIME, DROPPED, ON_TIME, DROPPED);
    }

    @Test
    void withinTheLatenessResultsAreCorrectedAndAtItsEndFlightsAreDropped() {
        Judgement judgement = Judgement.of(S12, ONE, 0, 10, 10);

        assertThat(S12.stream().map(judgement::on))
                .containsExactly(ON_TIME, ON_TIME, ON_TIME, REFIRED, ON_TIME, REFIRED, ON_TIME, DROPPED);
        assertThat(judgement.lastWatermark(0)).isEqualTo(19);
    }

    @Test
    void aFlightAtTheWatermarkOfAnOpenWindowIsOnTime() {
        // S04 (E2), bound 5: after 15 the watermark is 9, which closes [0,10).
        List<Flight> flights = new FlightScript()
                .flight("E", 3)
                .flight("E", 12)
                .flight("E", 6)
                .flight("E", 14)
                .flight("E", 8)
                .flight("E", 15)
                .flight("E", 9)
                .flights();
        Judgement judgement = Judgement.of(flights, ONE, 5, 0, 10);

        assertThat(flights.stream().map(judgement::on))
                .containsExactly(ON_TIME, ON_TIME, ON_TIME, ON_TIME, ON_TIME, ON_TIME, DROPPED);
        assertThat(judgement.count(DROPPED)).isEqualTo(1);
    }

    @Test
    void eachPartitionHasItsOwnWatermark() {
        PlainPartitions four = new PlainPartitions(4);
        String near = "LAX";
        String far = List.of("ORD", "DFW", "ATL", "PHX", "SFO").stream()
                .filter(code -> four.of(code) != four.of(near))
                .findFirst()
                .orElseThrow();
        List<Flight> flights = new FlightScript()
                .flight(near, 1)
                .flight(far, 1_000)
                .flight(near, 2)
                .flights();

        assertThat(Judgement.of(flights, four, 0, 0, 10).count(ON_TIME)).isEqualTo(3);
        assertThat(Judgement.of(flights, ONE, 0, 0, 10).count(DROPPED)).isEqualTo(1);
    }
}
