package io.fluxmark.benchmarks.log;

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

/** Measures the log beside plain loops over files. */
@Command(
        name = "log",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        usageHelpAutoWidth = true,
        description = {
            "Append and read records of 100 bytes, beside a plain loop over files that does no more than it must",
            "with the same fsyncs, and show rates and their ratio; and how long single appends take.",
            "Exit code 0 if all is there that was written, 1 if not."
        })
public final class LogBenchCommand implements Callable<Integer> {

    @Option(
            names = "--records",
            paramLabel = "N",
            defaultValue = "8000000",
            description = "Records in a stream, with SYNC a quarter (default: ${DEFAULT-VALUE}).")
    private long records = LogBenchOptions.DEFAULTS.records();

    @Option(
            names = "--appends",
            paramLabel = "N",
            defaultValue = "200000",
            description = "Single appends, with SYNC a tenth (default: ${DEFAULT-VALUE}).")
    private long appends = LogBenchOptions.DEFAULTS.appends();

    @Option(
            names = "--warmups",
            paramLabel = "N",
            defaultValue = "2",
            description = "Rounds that do not count, at least 1 (default: ${DEFAULT-VALUE}).")
    private int warmups = LogBenchOptions.DEFAULTS.warmups();

    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "5",
            description = "Rounds that count, at least 3 (default: ${DEFAULT-VALUE}).")
    private int rounds = LogBenchOptions.DEFAULTS.rounds();

    @Option(
            names = "--dir",
            paramLabel = "DIR",
            defaultValue = "${sys:java.io.tmpdir}",
            description = "Where files are written, up to 1.2 GB at a time, and deleted (default: ${DEFAULT-VALUE}).")
    @SuppressWarnings("NullAway.Init") // has a default
    private Path directory;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before call
    private CommandSpec spec;

    /** For picocli. */
    public LogBenchCommand() {}

    @Override
    public Integer call() {
        try {
            return run(
                    new LogBenchOptions(records, appends, warmups, rounds, LogBenchOptions.DEFAULTS.idle()),
                    directory,
                    System.out);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    /**
     * Measures on the calling thread and prints the figures.
     *
     * @param directory must be there; nothing is left in it
     * @return 0 if all is there that was written, 1 if not
     * @throws IllegalArgumentException if it is no directory
     */
    public static int run(LogBenchOptions options, Path directory, PrintStream out) {
        if (!Files.isDirectory(directory)) {
            throw new IllegalArgumentException("--dir is '" + directory + "', which is no directory: create it");
        }
        return new LogBench(options, directory, Schedulers.immediate(), out).run();
    }
}
