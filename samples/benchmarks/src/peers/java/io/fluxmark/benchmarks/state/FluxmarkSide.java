package io.fluxmark.benchmarks.state;

import java.nio.file.Path;

/** Fluxmark's side, in a process of its own. */
final class FluxmarkSide {

    private FluxmarkSide() {}

    /** Keys, seconds, MiB for entries, MiB for pages, directory. */
    public static void main(String[] arguments) {
        StateBenchOptions options = new StateBenchOptions(
                Long.parseLong(arguments[0]),
                StateBenchOptions.DEFAULTS.updates(),
                Integer.parseInt(arguments[1]),
                1,
                Integer.parseInt(arguments[2]),
                Integer.parseInt(arguments[3]));
        System.out.println(StateBenchCommand.measure(options, Path.of(arguments[4]), System.out)
                .line());
    }
}
