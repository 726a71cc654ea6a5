package io.fluxmark.experiments;

import io.fluxmark.experiments.backpressure.Backpressure;
import io.fluxmark.experiments.barriers.Barriers;
import io.fluxmark.experiments.commitorder.CommitOrders;
import io.fluxmark.experiments.frontier.Frontier;
import io.fluxmark.experiments.interval.Intervals;
import io.fluxmark.experiments.load.Load;
import io.fluxmark.experiments.logcost.LogCost;
import io.fluxmark.experiments.measure.Experiment;
import io.fluxmark.experiments.measure.Scale;
import io.fluxmark.experiments.prices.WindowPrices;
import io.fluxmark.experiments.rebalance.Rebalances;
import io.fluxmark.experiments.recovery.Recoveries;
import io.fluxmark.experiments.retraction.Retractions;
import io.fluxmark.experiments.sessions.Sessions;
import io.fluxmark.experiments.silence.Silence;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The experiments that can be run, by name. */
public final class Experiments {

    private static final Map<String, Supplier<Experiment>> ALL =
            new TreeMap<>(Comparator.comparing((String name) -> Integer.parseInt(name.substring(1))));

    static {
        ALL.put("E1", WrongClock::new);
        ALL.put("E2", LogCost::new);
        ALL.put("E3", Frontier::new);
        ALL.put("E4", Silence::new);
        ALL.put("E5", Intervals::new);
        ALL.put("E6", Recoveries::new);
        ALL.put("E7", WindowPrices::new);
        ALL.put("E8", Rebalances::new);
        ALL.put("E9", CommitOrders::new);
        ALL.put("E10", Backpressure::new);
        ALL.put("E11", Load::new);
        ALL.put("E12", Sessions::new);
        ALL.put("E13", Barriers::new);
        ALL.put("E14", Retractions::new);
    }

    private Experiments() {}

    /** The names that {@link #run} takes. */
    public static List<String> names() {
        return List.copyOf(ALL.keySet());
    }

    /**
     * Measures one experiment, writes its files into {@code directory} and its text into the section of {@code report}
     * that is set aside for it. Without that file, or without such a section, the text is only printed.
     *
     * @param report null leaves the report as it is
     */
    public static void run(String name, Path directory, @Nullable Path report, Scale scale, PrintStream out)
            throws IOException {
        Supplier<Experiment> experiment = ALL.get(name);
        if (experiment == null) {
            throw new IllegalArgumentException("'" + name + "' is no measured experiment: use one of " + names() + ".");
        }
        Files.createDirectories(directory);
        List<String> text = experiment.get().measure(directory, scale, out);
        text.forEach(out::println);
        out.println();
        out.println("Files are in " + directory + ".");
        if (report == null) {
            out.println("Figures of a quick run are rough: no report is filled with them.");
        } else if (new ReportSection(report, name).fill(text)) {
            out.println("Section " + name + " of " + report + " is filled.");
        } else {
            out.println(report + " has no section between <!-- " + name + " --> and <!-- /" + name
                    + " -->: nothing was written into it.");
        }
    }
}
