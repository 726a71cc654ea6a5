package io.fluxmark.cli;

import io.fluxmark.benchmarks.BenchCommand;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Unmatched;

/** Hands everything over to the benchmarks' own command, which is loaded only when it is asked for. */
@Command(
        name = "bench",
        description = "Run a benchmark beside its reference, for example: bench tumbling.",
        mixinStandardHelpOptions = false)
final class BenchSubcommand implements Callable<Integer> {

    @Parameters(arity = "0..*", paramLabel = "ARGUMENT", description = "Arguments of the benchmark.")
    private List<String> arguments = new ArrayList<>();

    @Unmatched
    private List<String> options = new ArrayList<>();

    @Override
    public Integer call() {
        List<String> all = new ArrayList<>(arguments);
        all.addAll(options);
        return new CommandLine(new BenchCommand())
                .setCommandName("fluxmark bench")
                .setParameterExceptionHandler(new UsageErrors())
                .setExecutionExceptionHandler(new Failures())
                .execute(all.toArray(String[]::new));
    }
}
