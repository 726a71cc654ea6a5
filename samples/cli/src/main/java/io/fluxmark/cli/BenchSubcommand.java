package io.fluxmark.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Unmatched;

/** Hands everything over to the benchmarks' own command, which is loaded only then. */
@Command(
        name = "bench",
        description = "Run a benchmark beside its reference, for example: bench tumbling.",
        mixinStandardHelpOptions = false)
final class BenchSubcommand implements Callable<Integer> {

    private static final String COMMAND = "io.fluxmark.benchmarks.BenchCommand";

    @Parameters(arity = "0..*", paramLabel = "ARGUMENT", description = "Arguments of the benchmark.")
    private List<String> arguments = new ArrayList<>();

    @Unmatched
    private List<String> options = new ArrayList<>();

    @Override
    public Integer call() throws ReflectiveOperationException {
        List<String> all = new ArrayList<>(arguments);
        all.addAll(options);
        Object command = Class.forName(COMMAND).getDeclaredConstructor().newInstance();
        return new CommandLine(command).execute(all.toArray(String[]::new));
    }
}
