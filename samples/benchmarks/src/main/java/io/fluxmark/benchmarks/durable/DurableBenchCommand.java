package io.fluxmark.benchmarks.durable;

import io.fluxmark.benchmarks.BenchOptions;
import io.fluxmark.benchmarks.log.Workspace;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import reactor.core.scheduler.Schedulers;

/** Measures a job with checkpoints beside the same pipeline in memory. */
@Command(
        name = "durable",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        usageHelpAutoWidth = true,
        description = {
            "Run the tumbling workload in memory, from a filled log, and as a job whose state, offsets and results are",
            "synced together at several intervals, and show rates and their ratio.",
            "Exit code 0 if all answers are equal, 1 if not."
        })
public final class DurableBenchCommand implements Callable<Integer> {

    @Option(
            names = "--events",
            paramLabel = "N",
            defaultValue = "20000000",
            description = "Events per run (default: ${DEFAULT-VALUE}).")
    private long events = BenchOptions.DEFAULTS.events();

    @Option(
            names = "--warmups",
            paramLabel = "N",
            defaultValue = "1",
            description = "Rounds that do not count, at least 1 (default: ${DEFAULT-VALUE}).")
    private int warmups = BenchOptions.DEFAULTS.warmups();

    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "5",
            description = "Rounds that count, at least 3 (default: ${DEFAULT-VALUE}).")
    private int rounds = BenchOptions.DEFAULTS.rounds();

    @Option(
            names = "--partitions",
            paramLabel = "N",
            defaultValue = "1",
            description = "Partitions of the log, each a lane of the job (default: ${DEFAULT-VALUE}).")
    private int partitions = 1;

    @Option(
            names = "--dir",
            paramLabel = "DIR",
            defaultValue = "${sys:java.io.tmpdir}",
            description = "Where files are written, up to 2 GB at a time, and deleted (default: ${DEFAULT-VALUE}).")
    @SuppressWarnings("NullAway.Init") // has a default
    private Path directory;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before call
    private CommandSpec spec;

    /** For picocli. */
    public DurableBenchCommand() {}

    @Override
    public Integer call() {
        try {
            if (!Files.isDirectory(directory)) {
                throw new IllegalArgumentException("--dir is '" + directory + "', which is no directory: create it");
            }
            BenchOptions options = new BenchOptions(events, warmups, rounds);
            return new DurableBench(options, Schedulers.immediate(), System.out, new Workspace(directory), partitions)
                    .run();
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }
}
