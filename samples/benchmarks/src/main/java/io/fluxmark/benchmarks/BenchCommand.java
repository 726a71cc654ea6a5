package io.fluxmark.benchmarks;

import io.fluxmark.benchmarks.durable.DurableBenchCommand;
import io.fluxmark.benchmarks.durable.ParallelBenchCommand;
import io.fluxmark.benchmarks.jmh.JmhBench;
import io.fluxmark.benchmarks.log.LogBenchCommand;
import io.fluxmark.benchmarks.state.StateBenchCommand;
import java.io.PrintStream;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.runner.RunnerException;
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
        subcommands = {
            LogBenchCommand.class,
            DurableBenchCommand.class,
            ParallelBenchCommand.class,
            StateBenchCommand.class
        },
        description = {
            "Run our pipeline and plain Java loops over the same events, and show rates and their ratio.",
            "Exit code 0 if all answers are equal, 1 if not. The log, a job with checkpoints, keys",
            "divided among lanes, and state larger than the heap have commands of their own."
        })
public final class BenchCommand implements Callable<Integer> {

    /** Not required, since a command below this one goes without. */
    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "WORKLOAD",
            description = "What to run: tumbling, sliding or session.")
    private @Nullable String workload;

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
            names = "--run-size",
            paramLabel = "N",
            defaultValue = "256",
            description = "Events that travel together at most (default: ${DEFAULT-VALUE}).")
    private int runSize = Variant.PLAIN.runSize();

    @Option(names = "--publish-on", description = "Have another thread do the windows, behind one publishOn.")
    private boolean publishOn;

    @Option(names = "--demand", paramLabel = "N", description = "Ask for N results at a time; by default for all.")
    private @Nullable Long demand;

    @Option(
            names = "--variants",
            description = "Show ours plain, at run size 1, behind one publishOn, and at demand 256, side by side.")
    private boolean variants;

    @Option(
            names = "--keys",
            paramLabel = "N",
            split = ",",
            converter = KeyCountConverter.class,
            description = "For tumbling: what an event costs as keys grow, like 10k,1M,10M, in windows of 1,000 s.")
    private List<Long> keys = List.of();

    @Option(
            names = "--jmh",
            description = {
                "Have JMH measure ours plain and the first loop, each in a JVM of its own: time and bytes per",
                "event. A round is an iteration."
            })
    private boolean jmh;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before call
    private CommandSpec spec;

    /** For picocli. */
    public BenchCommand() {}

    @Override
    public Integer call() throws RunnerException {
        try {
            if (workload == null) {
                throw new IllegalArgumentException(
                        "WORKLOAD is missing: use tumbling, sliding, session, log, durable or state");
            }
            BenchOptions options = new BenchOptions(events, warmups, rounds);
            Variant variant = new Variant(runSize, publishOn, demand == null ? Variant.PLAIN.demand() : demand);
            if (jmh) {
                return runJmh(Workload.of(workload), options, variant);
            }
            return keys.isEmpty()
                    ? run(Workload.of(workload), options, variants ? Variant.all() : List.of(variant), System.out)
                    : runKeys(Workload.of(workload), keys, options, System.out);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    private int runJmh(Workload workload, BenchOptions options, Variant variant) throws RunnerException {
        if (variants || !keys.isEmpty() || !variant.equals(Variant.PLAIN)) {
            throw new IllegalArgumentException(
                    "--jmh measures ours plain: leave out --run-size, --publish-on, --demand, --variants and --keys");
        }
        return JmhBench.run(workload, options, System.out);
    }

    /**
     * Runs a workload on the calling thread and prints what it measured to standard output.
     *
     * @return 0 if all answers are equal, 1 if not
     * @throws IllegalArgumentException for an unknown workload
     */
    public static int run(String workload, BenchOptions options) {
        return run(Workload.of(workload), options, List.of(Variant.PLAIN), System.out);
    }

    static int run(Workload workload, BenchOptions options, List<Variant> variants, PrintStream out) {
        Generator generator = workload.generator();
        List<Contender> ours = variants.stream()
                .map(variant ->
                        new Contender(variant.toString(), n -> Pipeline.run(workload.windows(), generator, variant, n)))
                .toList();
        String title = String.format(Locale.ROOT, "%s, %,d keys", workload.windows(), generator.keys());
        return new Bench(options, Schedulers.immediate(), out, generator, workload.loops(), ours).run(title);
    }

    static int runKeys(Workload workload, List<Long> keys, BenchOptions options, PrintStream out) {
        if (workload != Workload.TUMBLING) {
            throw new IllegalArgumentException("--keys goes with " + Workload.TUMBLING + ", not with " + workload);
        }
        return new KeySeries(options, Schedulers.immediate(), out).run(keys);
    }
}
