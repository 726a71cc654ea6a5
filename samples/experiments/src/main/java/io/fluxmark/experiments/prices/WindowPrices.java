package io.fluxmark.experiments.prices;

import io.fluxmark.experiments.measure.Experiment;
import io.fluxmark.experiments.measure.Figures;
import io.fluxmark.experiments.measure.Plots;
import io.fluxmark.experiments.measure.Scale;
import io.fluxmark.experiments.measure.Table;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.knowm.xchart.CategoryChart;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** E7: the price of each kind of window. In each round every kind runs once, on the calling thread. */
public final class WindowPrices implements Experiment {

    private static final double QUICK = 0.01;
    private static final int WARM_UPS = 1;
    private static final int ROUNDS = 5;

    private final Scheduler clock = Schedulers.immediate();

    /** By kind: ns for an event, round by round. */
    private final Map<PricedWindows, List<Double>> prices = new EnumMap<>(PricedWindows.class);

    /** For the registry. */
    public WindowPrices() {}

    @Override
    public List<String> measure(Path directory, Scale scale, PrintStream out) throws IOException {
        double share = scale.of(1.0, QUICK);
        Map<PricedWindows, Object> outcomes = new EnumMap<>(PricedWindows.class);
        for (int round = -WARM_UPS; round < ROUNDS; round++) {
            for (PricedWindows windows : PricedWindows.values()) {
                long events = windows.events(share);
                long start = clock.now(TimeUnit.NANOSECONDS);
                Object outcome = windows.run(events);
                double nanos = (double) (clock.now(TimeUnit.NANOSECONDS) - start) / events;
                requireEqual(windows, outcomes.put(windows, outcome), outcome);
                if (round >= 0) {
                    prices.computeIfAbsent(windows, w -> new ArrayList<>()).add(nanos);
                }
            }
            out.println(Figures.text("E7: round %d of %d", round + WARM_UPS + 1, ROUNDS + WARM_UPS));
        }
        Table table = new Table("windows", "events", "best_ns", "median_ns", "per_tumbling");
        for (PricedWindows windows : PricedWindows.values()) {
            table.row(
                    windows.label,
                    windows.events(share),
                    Figures.decimal(Collections.min(prices(windows)), 1),
                    Figures.decimal(Figures.median(prices(windows)), 1),
                    Figures.decimal(ratio(windows, PricedWindows.TUMBLING), 2));
        }
        table.write(directory.resolve("E7-prices.csv"));
        Table shared = new Table("sliding", "windows_per_event", "shared_ns", "per_window_ns", "times_as_fast")
                .row(saving("10 s by 2 s", 5, PricedWindows.SLIDING, PricedWindows.SLIDING_STATES))
                .row(saving("60 s by 1 s", 60, PricedWindows.LONG, PricedWindows.LONG_STATES))
                .write(directory.resolve("E7-sharing.csv"));
        plot(table, directory);
        return WindowPricesText.of(table, shared);
    }

    private static void requireEqual(PricedWindows windows, Object before, Object now) {
        if (before != null && !before.equals(now)) {
            throw new IllegalStateException(windows.label + " gave " + before + " and then " + now);
        }
    }

    private Object[] saving(String sliding, int windowsPerEvent, PricedWindows shared, PricedWindows states) {
        return new Object[] {
            sliding,
            windowsPerEvent,
            Figures.decimal(Figures.median(prices(shared)), 1),
            Figures.decimal(Figures.median(prices(states)), 1),
            Figures.decimal(ratio(states, shared), 2)
        };
    }

    private List<Double> prices(PricedWindows windows) {
        return prices.getOrDefault(windows, List.of());
    }

    /** The median over the rounds of how many times as much an event costs in the one as in the other. */
    private double ratio(PricedWindows windows, PricedWindows other) {
        List<Double> ratios = new ArrayList<>();
        for (int i = 0; i < prices(windows).size(); i++) {
            ratios.add(prices(windows).get(i) / prices(other).get(i));
        }
        return Figures.median(ratios);
    }

    private static void plot(Table table, Path directory) throws IOException {
        CategoryChart chart = Plots.bars("Price of an event", "windows", "ns, median of " + ROUNDS + " rounds");
        chart.getStyler().setXAxisLabelRotation(20);
        Table shown = table.where("windows", windows -> !windows.contains(PricedWindows.STATES));
        chart.addSeries("one thread, state on the heap", shown.texts("windows"), shown.numbers("median_ns"));
        Plots.write(chart, directory.resolve("E7-prices.png"));
    }
}
