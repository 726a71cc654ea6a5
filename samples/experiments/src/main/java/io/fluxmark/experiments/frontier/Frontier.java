package io.fluxmark.experiments.frontier;

import io.fluxmark.experiments.measure.Experiment;
import io.fluxmark.experiments.measure.Scale;
import io.fluxmark.experiments.measure.Table;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;

/** E3: completeness against emission latency. */
public final class Frontier implements Experiment {

    /** For the registry. */
    public Frontier() {}

    @Override
    public List<String> measure(Path directory, Scale scale, PrintStream out) throws IOException {
        Table prices = Price.measure(scale, out).write(directory.resolve("E3-price.csv"));
        List<Subject> subjects = List.of(Subjects.exponential(scale), Subjects.bimodal(scale), Subjects.flights(scale));
        Table curves = Curves.measure(subjects, out).write(directory.resolve("E3-curves.csv"));
        Table overview = Overview.of(curves, subjects).write(directory.resolve("E3-frontier.csv"));
        Overview.plot(curves, subjects, directory);
        Policies policies = Policies.measure(subjects, out);
        policies.write(directory);
        return FrontierText.of(overview, prices, policies.table(), curves);
    }
}
