package io.fluxmark.cli;

import io.fluxmark.aggregate.AggregateCommand;
import io.fluxmark.aggregate.FrontierCommand;
import io.fluxmark.benchmarks.BenchCommand;
import io.fluxmark.cli.log.LogCommand;
import io.fluxmark.cli.store.StoreCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command without a subcommand: says that one is needed. */
@Command(
        name = "fluxmark",
        mixinStandardHelpOptions = true,
        version = "fluxmark 0.1.0-SNAPSHOT",
        description =
                "Event-time stream processing for Project Reactor: a demonstration on real data, experiments, benchmarks.",
        subcommands = {
            DemoCommand.class,
            AggregateCommand.class,
            FrontierCommand.class,
            LogCommand.class,
            StoreCommand.class,
            ExperimentCommand.class,
            BenchCommand.class
        },
        synopsisSubcommandLabel = "COMMAND",
        footer = {
            "",
            "Start with: ./fluxmark demo",
            "Exit codes: 0 success, 1 a result is wrong, 64 bad usage, 65 bad data, 69 something needed is missing, 70 a failure."
        })
final class FluxmarkCommand implements Runnable {

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before run
    private CommandSpec spec;

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(),
                "No command given: use demo, aggregate, frontier, log, store, experiment or bench.");
    }
}
