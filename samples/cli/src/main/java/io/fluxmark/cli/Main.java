package io.fluxmark.cli;

import picocli.CommandLine;

/** Entry point: exit codes are 0 for success, 1 for a result that is wrong, 64 for bad usage, 70 for a failure. */
public final class Main {

    private Main() {}

    public static void main(String[] args) {
        System.exit(commandLine().execute(args));
    }

    static CommandLine commandLine() {
        return new CommandLine(new FluxmarkCommand())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .registerConverter(java.time.Duration.class, new DurationConverter())
                .setParameterExceptionHandler(new UsageErrors())
                .setExecutionExceptionHandler(new Failures());
    }
}
