package io.fluxmark.experiments.frontier;

import io.fluxmark.experiments.measure.Figures;
import io.fluxmark.experiments.measure.Prediction;
import io.fluxmark.experiments.measure.Section;
import io.fluxmark.experiments.measure.Table;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** What the report says about the frontier, around the measured tables. */
final class FrontierText {

    private static final Prediction LATENCY_AT_99 = new Prediction(235, 262);

    /** By how much a latency may differ from the formula at other parameters, %. */
    private static final Prediction DEVIATION = new Prediction(-5, 5);

    private static final double LARGEST_GAIN = 0.1;
    private static final int DEAD_FROM_SECONDS = 300;
    private static final int DEAD_TO_SECONDS = 7_200;

    private FrontierText() {}

    static List<String> of(Table overview, Table prices, Table policies, Table curves) {
        Section section = new Section("E3");
        measured(section, overview, prices);
        section.table(
                overview,
                Overview.DELAY,
                "B, s",
                "exponential_percent",
                "exponential, %",
                "exponential_p50_s",
                "p50, s",
                "bimodal_percent",
                "bimodal, %",
                "bimodal_p50_s",
                "p50, s",
                "flights_percent",
                "flights, %",
                "flights_p50_s",
                "p50, s",
                "flights_p99_s",
                "p99, s");
        section.paragraph(
                "The record of a flight comes in up to 80 minutes before the departure it tells of, so that with a"
                        + " short delay windows fire before they end. %s",
                flightDelays(curves));
        section.paragraph(
                "What 99 %% cost under exponential laws, beside the formula: B plus the lag of the largest timestamp,"
                        + " with (m/S) (1 - e^(-S/m)) e^(-B/m) = 0.01.");
        section.table(
                prices,
                "mean_s",
                "mean m, s",
                "window_s",
                "window S, s",
                "events_per_s",
                "events/s",
                "delay_s",
                "smallest B, s",
                Curves.COMPLETE,
                "complete, %",
                Curves.P50,
                "p50, s",
                Curves.P99,
                "p99, s",
                "formula_latency_s",
                "formula, s",
                Price.DEVIATION,
                "off by, %");
        section.paragraph(
                "One short delay, and three policies for what comes after the first result. A correction is two"
                        + " results, the old one taken back and the new one; \"last change\" is the longest time after the"
                        + " end of its window at which a result still changed.");
        policies(section, policies);
        section.figure("The frontier under two laws", "E3-laws.png")
                .figure("The frontier of the flights", "E3-flights.png")
                .figure("Completeness by age", "E3-ages.png")
                .figure("Entries held", "E3-state.png");
        return section.lines();
    }

    private static void measured(Section section, Table overview, Table prices) {
        double latency = prices.numbers(Curves.P50).get(0);
        double gain = gainInDeadZone(overview);
        double deviation = prices.numbers(Price.DEVIATION).stream()
                .mapToDouble(Math::abs)
                .max()
                .orElseThrow();
        section.paragraph(
                "Measured: **99 %% of the events under the exponential law cost %.1f s of emission latency (%s); under"
                        + " the bimodal law completeness rises by %.3f percentage points between 5 min and 2 h (%s).** At"
                        + " other means and sizes the latency is within %.1f %% of the formula (%s).",
                latency,
                LATENCY_AT_99.verdict(latency),
                gain,
                Prediction.verdict(gain < LARGEST_GAIN),
                deviation,
                DEVIATION.verdict(deviation));
        section.paragraph(
                "An event is counted in time if it is in the first result of its window. Latency runs from the end of"
                        + " the window to that result on the clock of arrivals, the pipeline itself taking no time: it is"
                        + " the price of waiting alone. Under the laws (exponential: mean 60 s; bimodal: 90 %% with a mean"
                        + " of 30 s, 10 %% offline for 2 to 8 h) windows of 60 s and 1,000 events/s; for the flights"
                        + " windows of 1 h by airport. Their lateness was known before, and no prediction is about them.");
    }

    private static void policies(Section section, Table policies) {
        section.table(
                policies,
                "input",
                "input",
                Overview.DELAY,
                "B, s",
                "policy",
                "policy",
                "lateness_s",
                "L, s",
                "at_first_percent",
                "at first, %",
                "corrections",
                "corrections",
                "in_the_end_percent",
                "in the end, %",
                "settled_after_s",
                "last change, s",
                "side",
                "side",
                "lost",
                "lost",
                "most_entries",
                "most entries");
        section.paragraph(
                "**For a user.** A delay buys completeness only where lateness has mass: under the bimodal law all"
                        + " waiting between 5 min and 2 h is loss. Emit early and let `allowedLateness` correct: the first"
                        + " result is as early as with dropping, and within L every event is counted. The price is two"
                        + " results for each late event, and state, which keeps every window for L longer.");
    }

    static double gainInDeadZone(Table overview) {
        return overview.where(Overview.DELAY, DEAD_TO_SECONDS).number("bimodal_percent")
                - overview.where(Overview.DELAY, DEAD_FROM_SECONDS).number("bimodal_percent");
    }

    /** The smallest delays tried that count so much of the flights, by size of windows. */
    private static String flightDelays(Table curves) {
        Table flights = curves.where("input", Subjects.FLIGHTS);
        List<String> sizes = new ArrayList<>();
        for (String size : flights.texts("window_s").stream().distinct().toList()) {
            Table curve = flights.where("window_s", size);
            sizes.add(String.join(", ", smallest(curve, 99), smallest(curve, 99.9), smallest(curve, 100)) + " at "
                    + duration(Long.parseLong(size)));
        }
        return "The smallest B tried that counts 99, 99.9 and 100 % of them, by the size of windows: "
                + String.join("; ", sizes) + ".";
    }

    private static String smallest(Table curve, double percent) {
        List<Double> counted = curve.numbers("on_time");
        for (int i = 0; i < counted.size(); i++) {
            if (100 * counted.get(i) >= percent * curve.numbers("events").get(i)) {
                return duration(curve.numbers(Overview.DELAY).get(i).longValue());
            }
        }
        throw new IllegalStateException("no delay counts " + percent + " % of the events");
    }

    private static String duration(long seconds) {
        return Figures.duration(Duration.ofSeconds(seconds));
    }
}
