package io.fluxmark.experiments.prices;

import io.fluxmark.experiments.measure.Prediction;
import io.fluxmark.experiments.measure.Section;
import io.fluxmark.experiments.measure.Table;
import java.util.List;

/** What the report says about the price of windows, around the measured tables. */
final class WindowPricesText {

    private static final Prediction SHARING = new Prediction(1.6, 3.0);

    /** The saving at 60 windows for each event is to be at least so many times that at 5. */
    private static final double GROWTH = 2;

    private WindowPricesText() {}

    static List<String> of(Table prices, Table sharing) {
        double few = sharing.where("windows_per_event", 5).number("times_as_fast");
        double many = sharing.where("windows_per_event", 60).number("times_as_fast");
        return new Section("E7")
                .paragraph(
                        "Measured: **with 5 windows over each event shared panes are %.1f times as fast as one state for"
                                + " each window (%s), with 60 windows %.1f times (at least twice as much: %s).**",
                        few, SHARING.verdict(few), many, Prediction.verdict(many >= GROWTH * few))
                .table(
                        sharing,
                        "sliding",
                        "sliding",
                        "windows_per_event",
                        "windows over an event",
                        "shared_ns",
                        "shared panes, ns/event",
                        "per_window_ns",
                        "a state per window, ns/event",
                        "times_as_fast",
                        "times as fast")
                .paragraph(
                        "One thread, state on the heap, counters on, results consumed; count, sum and maximum for each"
                                + " of 10,000 keys (sessions: 100,000, of which 20,000 are active). Windows as long as a day and"
                                + " global ones fire once, at the end of the input.")
                .table(
                        prices,
                        "windows",
                        "windows",
                        "events",
                        "events",
                        "best_ns",
                        "ns/event, best",
                        "median_ns",
                        "ns/event, median",
                        "per_tumbling",
                        "times tumbling")
                .figure("Price of an event by kind of window", "E7-prices.png")
                .lines();
    }
}
