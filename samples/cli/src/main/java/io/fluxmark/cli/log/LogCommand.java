package io.fluxmark.cli.log;

import io.fluxmark.cli.console.Console;
import io.fluxmark.log.LogSpec;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The commands on a log's directory. */
@Command(
        name = "log",
        mixinStandardHelpOptions = true,
        description = {
            "Look into a log directory and change it. read, describe, verify, dump, groups and offsets take no lock and change",
            "nothing: they work beside a process that has the log open. The others, and offsets --reset-to, need it closed.",
            "docs/log.md has an example of each."
        },
        subcommands = {
            CreateCommand.class,
            DescribeCommand.class,
            AppendCommand.class,
            ReadCommand.class,
            VerifyCommand.class,
            DumpCommand.class,
            RepairCommand.class,
            GroupsCommand.class,
            OffsetsCommand.class,
            CompactCommand.class,
            DeleteCommand.class
        },
        synopsisSubcommandLabel = "COMMAND",
        footer = {
            "",
            "Exit codes: 0 success, 1 damage was found, 64 bad usage, 65 bad input or an offset that is not there,",
            "70 a failure, such as a log that another process has open."
        })
public final class LogCommand implements Runnable {

    private final Console console;
    private final LogSpec base;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before run
    private CommandSpec spec;

    /** For picocli. */
    public LogCommand() {
        this(Console.ofProcess(), LogSpec.defaults());
    }

    /**
     * @param base how logs are opened, with the clock
     */
    LogCommand(Console console, LogSpec base) {
        this.console = console;
        this.base = base;
    }

    Console console() {
        return console;
    }

    LogSpec base() {
        return base;
    }

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(),
                "No command given: use " + String.join(", ", spec.subcommands().keySet()) + ".");
    }
}
