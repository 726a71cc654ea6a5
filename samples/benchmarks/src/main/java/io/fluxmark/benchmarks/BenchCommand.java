package io.fluxmark.benchmarks;

import java.io.PrintStream;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import reactor.core.scheduler.Schedulers;

/** Runs a benchmark beside its reference. */
@Command(
        name = "bench",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        usageHelpAutoWidth = true,
        description = {
            "Run our pipeline and plain Java loops over the same events, and show rates and their ratio.",
            "Exit code 0 if all answers are equal, 1 if not."
        })
public final class BenchCommand implements Callable<Integer> {

    private static final String TUMBLING = "tumbling";

    @Parameters(index = "0", paramLabel = "WORKLOAD", description = "What to run: " + TUMBLING + ".")
    @SuppressWarnings("NullAway.Init") // required parameter
    private String workload;

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

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before call
    private CommandSpec spec;

    /** For picocli. */
    public BenchCommand() {}

    @Override
    public Integer call() {
        try {
            return run(workload, new BenchOptions(events, warmups, rounds), System.out);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    /**
     * Runs {@code workload} on the calling thread and prints what it measured to standard output.
     *
     * @return 0 if all answers are equal, 1 if not
     * @throws IllegalArgumentException for an unknown workload
     */
    public static int run(String workload, BenchOptions options) {
        return run(workload, options, System.out);
    }

    static int run(String workload, BenchOptions options, PrintStream out) {
        if (!workload.equals(TUMBLING)) {
            throw new IllegalArgumentException("no workload '" + workload + "': use " + TUMBLING);
        }
        return new TumblingBench(options, Schedulers.immediate(), out).run();
    }
}
