package io.fluxmark.cli.store;

import io.fluxmark.cli.console.Console;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The commands on a store's directory. */
@Command(
        name = "store",
        mixinStandardHelpOptions = true,
        description = {
            "Look into the state store of jobs, copy it and restore it. All of them need the store closed: a store belongs to",
            "one process, and no other may read its file meanwhile. docs/store.md has an example of each."
        },
        subcommands = {
            DescribeCommand.class,
            RowsCommand.class,
            DigestCommand.class,
            VerifyCommand.class,
            CompactCommand.class,
            SavepointCommand.class,
            RestoreCommand.class
        },
        synopsisSubcommandLabel = "COMMAND",
        footer = {
            "",
            "Exit codes: 0 success, 1 damage was found, 64 bad usage, 70 a failure, such as a store that another process has",
            "open."
        })
public final class StoreCommand implements Runnable {

    private final Console console;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before run
    private CommandSpec spec;

    /** For picocli. */
    public StoreCommand() {
        this(Console.ofProcess());
    }

    StoreCommand(Console console) {
        this.console = console;
    }

    Console console() {
        return console;
    }

    @Override
    public void run() {
        throw new ParameterException(
                spec.commandLine(),
                "No command given: use " + String.join(", ", spec.subcommands().keySet()) + ".");
    }
}
