package io.fluxmark.cli;

import io.fluxmark.experiments.Experiments;
import io.fluxmark.experiments.measure.Scale;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Measures one of the experiments of the report. */
@Command(
        name = "experiment",
        mixinStandardHelpOptions = true,
        description = "Measure an experiment of REPORT.md: writes CSV files and plots, and fills its section.")
final class ExperimentCommand implements Callable<Integer> {

    @Parameters(index = "0", paramLabel = "NAME", description = "Which one, for example E1.")
    @SuppressWarnings("NullAway.Init") // required parameter
    private String name;

    @Option(
            names = "--out",
            paramLabel = "DIR",
            description = "Where CSV files and plots go (default: samples/experiments/results/NAME).")
    private @Nullable Path out;

    @Option(
            names = "--report",
            paramLabel = "FILE",
            description = "Report whose section is filled (default: REPORT.md if it is in the current directory).")
    private @Nullable Path report;

    @Option(
            names = "--quick",
            description = {
                "A small run, in seconds, to see that everything works. Its figures are rough: they go to a temporary",
                "directory unless --out is given, and no report is filled with them."
            })
    private boolean quick;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before call
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException {
        String id = name.toUpperCase(Locale.ROOT);
        if (!Experiments.names().contains(id)) {
            throw new ParameterException(
                    spec.commandLine(),
                    "'" + name + "' is no measured experiment: use one of " + Experiments.names() + ".");
        }
        if (quick) {
            Path directory = out == null ? Files.createTempDirectory("fluxmark-" + id + "-") : out;
            Experiments.run(id, directory, null, Scale.QUICK, System.out);
            return 0;
        }
        Path directory = out == null ? Path.of("samples", "experiments", "results", id) : out;
        Path file = report == null ? Path.of("REPORT.md") : report;
        Experiments.run(id, directory, file, Scale.FULL, System.out);
        return 0;
    }
}
