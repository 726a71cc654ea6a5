package io.fluxmark.quickstart;

import io.fluxmark.quickstart.plain.Cell;
import io.fluxmark.quickstart.plain.Flight;
import io.fluxmark.quickstart.plain.Judgement;
import io.fluxmark.quickstart.plain.PlainCount;
import io.fluxmark.quickstart.plain.PlainPartitions;
import io.fluxmark.quickstart.plain.Tally;
import io.fluxmark.quickstart.plain.Verdict;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * Everything that a batch over the file says about one window size; no class of the library takes part.
 *
 * @param all every flight, by event time: what is true
 * @param arrival every flight, by arrival time
 * @param accepted the flights that the settings accept, by event time
 * @param onTime flights in their window before it fires
 * @param refired flights that correct a result
 * @param tooLate flights after the allowed lateness
 */
record Truth(
        Map<Cell, Tally> all,
        Map<Cell, Tally> arrival,
        Map<Cell, Tally> accepted,
        long onTime,
        long refired,
        long tooLate) {

    static Truth of(List<Flight> flights, PlainPartitions partitions, DemoSettings settings, Duration size) {
        long millis = size.toMillis();
        Judgement judgement = Judgement.of(
                flights,
                partitions,
                settings.delay().toMillis(),
                settings.lateness().toMillis(),
                millis);
        return new Truth(
                PlainCount.count(flights, Flight::eventMillis, millis),
                PlainCount.count(flights, Flight::arrivalMillis, millis),
                PlainCount.count(flights, Flight::eventMillis, millis, judgement::accepts),
                judgement.count(Verdict.ON_TIME),
                judgement.count(Verdict.REFIRED),
                judgement.count(Verdict.DROPPED));
    }
}
