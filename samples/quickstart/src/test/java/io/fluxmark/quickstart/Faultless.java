package io.fluxmark.quickstart;

import io.fluxmark.quickstart.plain.Cell;
import java.util.HashMap;
import java.util.Map;

/** What a pipeline without a fault would commit. */
final class Faultless {

    private Faultless() {}

    static JobOutcome outcome(Truth truth, DemoSettings.Late late) {
        Map<Cell, Stats> rows = new HashMap<>();
        truth.accepted().forEach((cell, tally) -> rows.put(cell, new Stats(tally.count(), tally.averageDelay())));
        boolean side = late == DemoSettings.Late.SIDE;
        return new JobOutcome(
                rows,
                new Counts(truth.onTime(), truth.refired(), side ? 0 : truth.tooLate(), side ? truth.tooLate() : 0));
    }
}
