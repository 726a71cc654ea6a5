package io.fluxmark.cli;

import picocli.CommandLine;

/** Entry point: exit codes are 0 for success, 1 for a result that is wrong, 64 for bad usage, 65 for bad data, 70 for a failure. */
public final class Main {

    private Main() {}

    public static void main(String[] args) {
        System.exit(commandLine().execute(args));
    }

    static CommandLine commandLine() {
        return commandLine(CommandLine.defaultFactory());
    }

    /**
     * The command line.
     *
     * @param factory makes the commands
     */
    public static CommandLine commandLine(CommandLine.IFactory factory) {
        return new CommandLine(new FluxmarkCommand(), factory)
                .setCaseInsensitiveEnumValuesAllowed(true)
                .registerConverter(java.time.Duration.class, new DurationConverter())
                .setParameterExceptionHandler(new UsageErrors())
                .setExecutionExceptionHandler(new Failures());
    }
}
