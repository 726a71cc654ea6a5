package io.fluxmark.experiments;

import io.fluxmark.experiments.measure.Experiment;
import io.fluxmark.experiments.measure.Scale;
import io.fluxmark.quickstart.plain.Flight;
import io.fluxmark.quickstart.plain.FlightsFile;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** E1: how wrong a daily count is that goes by the arrival of the record instead of the time of the event. */
final class WrongClock implements Experiment {

    private static final double PREDICTED_LOW = 0.10;
    private static final double PREDICTED_HIGH = 0.18;

    @Override
    public List<String> measure(Path directory, Scale scale, PrintStream out) throws IOException {
        List<Flight> flights = FlightsFile.bundled();
        FlightDays days = FlightDays.measure(flights, out);
        days.write(directory);
        PhoneShares phones = PhoneShares.measure(out);
        phones.write(directory);

        double share = (double) days.misplaced() / flights.size();
        boolean holds = share >= PREDICTED_LOW && share <= PREDICTED_HIGH;
        List<String> text = new ArrayList<>();
        text.add(String.format(
                Locale.ROOT,
                "Measured: **%.2f %% of the departures (%,d of %,d) stand on the wrong day by the arrival clock.** The"
                        + " prediction %s.",
                100 * share,
                days.misplaced(),
                flights.size(),
                holds ? "holds" : "is refuted"));
        text.add("");
        if (!holds) {
            text.add("The reasoning took a record to come in when the flight has landed. In this file it comes in when"
                    + " the");
            text.add("delay is over (arrival time = scheduled departure + delay), for more than half of the flights at"
                    + " once or");
            text.add("before; the hours in the air that carried the estimate are not in the data.");
            text.add("");
        }
        text.addAll(days.table());
        text.add("");
        text.addAll(phones.table());
        text.add("");
        text.add("![Bias per day](samples/experiments/results/E1/E1-days.png)");
        text.add("");
        text.add("![Offline phones](samples/experiments/results/E1/E1-phones.png)");
        return text;
    }
}
