package io.fluxmark.cli.console;

import picocli.CommandLine.Option;

/** Whether long work shows how far it is. */
public final class ProgressOption {

    @Option(names = "--progress", description = "Show on standard error how far it is, also where that is no terminal.")
    private boolean progress;

    /** For picocli. */
    public ProgressOption() {}

    /**
     * Begins.
     *
     * @param total how many units there are, -1 if that is not known
     */
    public Progress start(Console console, String task, String unit, long total) {
        return Progress.start(progress || console.attended(), task, unit, total);
    }
}
