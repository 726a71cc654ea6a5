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

/** Measures a merged job in one lane beside the same with its keys divided among several. */
@Command(
        name = "parallel",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        usageHelpAutoWidth = true,
        description = {
            "Run the tumbling workload as a job of keyBy over JSON records of several partitions: in one lane, and with",
            "its keys divided among several lanes, and show rates and their ratio.",
            "Exit code 0 if all answers are equal, 1 if not."
        })
public final class ParallelBenchCommand implements Callable<Integer> {

    private static final long DEFAULT_EVENTS = 3_000_000;
    private static final int DEFAULT_PARTITIONS = 4;
    private static final int DEFAULT_LANES = 2;

    @Option(
            names = "--events",
            paramLabel = "N",
            defaultValue = "3000000",
            description = "Events per run (default: ${DEFAULT-VALUE}).")
    private long events = DEFAULT_EVENTS;

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
            defaultValue = "4",
            description = "Partitions of the log, at least 2 (default: ${DEFAULT-VALUE}).")
    private int partitions = DEFAULT_PARTITIONS;

    @Option(
            names = "--lanes",
            paramLabel = "N",
            defaultValue = "2",
            description = "Among how many lanes keys are divided, 1 to 16 (default: ${DEFAULT-VALUE}).")
    private int lanes = DEFAULT_LANES;

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
    public ParallelBenchCommand() {}

    @Override
    public Integer call() {
        try {
            if (!Files.isDirectory(directory)) {
                throw new IllegalArgumentException("--dir is '" + directory + "', which is no directory: create it");
            }
            if (partitions < 2) {
                throw new IllegalArgumentException(
                        "--partitions is " + partitions + ", and a merge is over at least 2: give more");
            }
            BenchOptions options = new BenchOptions(events, warmups, rounds);
            return new ParallelBench(
                            options, Schedulers.immediate(), System.out, new Workspace(directory), partitions, lanes)
                    .run();
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }
}
