package io.fluxmark.benchmarks.state;

import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import reactor.core.scheduler.Schedulers;

/** Measures state that is far larger than the heap. */
@Command(
        name = "state",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        usageHelpAutoWidth = true,
        description = {
            "Update keyed state that is far larger than the heap: keys chosen uniformly, and most of them out of a",
            "small hot set. Shows rates, and how long a restart takes to its first result.",
            "Exit code 0 if the state holds every update once, 1 if not. Set the heap with JAVA_TOOL_OPTIONS=-Xmx512m."
        })
public final class StateBenchCommand implements Callable<Integer> {

    @Option(
            names = "--keys",
            paramLabel = "N",
            defaultValue = "20000000",
            description = "Entries (default: ${DEFAULT-VALUE}).")
    private long keys = StateBenchOptions.DEFAULTS.keys();

    @Option(
            names = "--updates",
            paramLabel = "N",
            defaultValue = "4000000",
            description = "Updates with each choice of keys (default: ${DEFAULT-VALUE}).")
    private long updates = StateBenchOptions.DEFAULTS.updates();

    @Option(
            names = "--seconds",
            paramLabel = "N",
            defaultValue = "0",
            description = "Time for each choice of keys, instead of a number of updates (default: no limit).")
    private int seconds = StateBenchOptions.DEFAULTS.seconds();

    @Option(
            names = "--lanes",
            paramLabel = "N",
            defaultValue = "2",
            description = "Lanes that update at a time, each its share of the keys (default: ${DEFAULT-VALUE}).")
    private int lanes = StateBenchOptions.DEFAULTS.lanes();

    @Option(
            names = "--state-mb",
            paramLabel = "N",
            defaultValue = "64",
            description = "Heap for entries in MiB, all lanes together (default: ${DEFAULT-VALUE}).")
    private int stateMegabytes = StateBenchOptions.DEFAULTS.stateMegabytes();

    @Option(
            names = "--cache-mb",
            paramLabel = "N",
            defaultValue = "64",
            description = "Page cache of the store in MiB (default: ${DEFAULT-VALUE}).")
    private int cacheMegabytes = StateBenchOptions.DEFAULTS.cacheMegabytes();

    @Option(
            names = "--dir",
            paramLabel = "DIR",
            defaultValue = "${sys:java.io.tmpdir}",
            description = "Where the store is written, up to 4 GB, and deleted (default: ${DEFAULT-VALUE}).")
    @SuppressWarnings("NullAway.Init") // has a default
    private Path directory;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before call
    private CommandSpec spec;

    /** For picocli. */
    public StateBenchCommand() {}

    @Override
    public Integer call() {
        try {
            return run(
                    new StateBenchOptions(keys, updates, seconds, lanes, stateMegabytes, cacheMegabytes),
                    directory,
                    System.out);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    /**
     * Measures and prints the figures.
     *
     * @param directory must be there; nothing is left in it
     * @return 0 if the state holds every update once, 1 if not
     * @throws IllegalArgumentException if it is no directory
     */
    public static int run(StateBenchOptions options, Path directory, PrintStream out) {
        if (!Files.isDirectory(directory)) {
            throw new IllegalArgumentException("--dir is '" + directory + "', which is no directory: create it");
        }
        return measure(options, directory, out).equal() ? 0 : 1;
    }

    /** As {@link #run}; gives the figures. */
    static StateFigures measure(StateBenchOptions options, Path directory, PrintStream out) {
        return new StateBench(options, directory, Schedulers.immediate(), out).run();
    }
}
