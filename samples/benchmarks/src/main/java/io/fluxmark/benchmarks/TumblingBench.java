package io.fluxmark.benchmarks;

import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Locale;
import reactor.core.scheduler.Scheduler;

/** Our tumbling pipeline beside the generator alone and two hand-written loops, in interleaved rounds. */
final class TumblingBench {

    private static final long FEWEST_FOR_RATES = 5_000_000;

    private final BenchOptions options;
    private final Scheduler clock;
    private final PrintStream out;

    private final Series generator = new Series(new Contender("generator alone", TumblingBench::generate));
    private final Series boxed = new Series(new Contender("loop, HashMap, boxed", n -> new BoxedLoop().run(n)));
    private final Series primitive = new Series(new Contender("loop, primitive", n -> new PrimitiveLoop().run(n)));
    private final Series fluxmark = new Series(new Contender("Fluxmark", TumblingPipeline::run));

    TumblingBench(BenchOptions options, Scheduler clock, PrintStream out) {
        this.options = options;
        this.clock = clock;
        this.out = out;
    }

    private static Object generate(long events) {
        long mixed = 0;
        for (long i = 0; i < events; i++) {
            long bits = Generator.bits(i);
            mixed += Generator.key(bits) ^ Generator.value(bits) ^ Generator.timestamp(i, bits);
        }
        return mixed;
    }

    /** 0 if all answers are equal, 1 if not. */
    int run() {
        out.printf(
                Locale.ROOT,
                "tumbling: %,d events, windows of 10 s, %,d keys; %d warm-up, %d rounds; JDK %s, %d processors, load %.1f%n",
                options.events(),
                Generator.KEYS,
                options.warmups(),
                options.rounds(),
                Runtime.version(),
                Runtime.getRuntime().availableProcessors(),
                ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
        List<Series> all = List.of(generator, boxed, primitive, fluxmark);
        for (int round = -options.warmups(); round < options.rounds(); round++) {
            for (Series series : all) {
                Measurement measurement = Measurement.of(series.contender, options.events(), clock);
                if (round >= 0) {
                    series.add(measurement);
                }
            }
            out.printf(
                    Locale.ROOT,
                    "%s of %d done, load %.1f%n",
                    round < 0 ? "warm-up " + (round + options.warmups() + 1) : "round " + (round + 1),
                    round < 0 ? options.warmups() : options.rounds(),
                    ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage());
        }
        return report(all);
    }

    private int report(List<Series> all) {
        out.printf("%n%-22s %14s %14s %14s %12s%n", "", "best", "median", "of CPU time", "allocated");
        for (Series series : all) {
            out.printf(
                    Locale.ROOT,
                    "%-22s %10.2f M/s %10.2f M/s %10.2f M/s %6.1f B/event%n",
                    series.contender.name(),
                    millionsPerSecond(series.bestNanos()),
                    millionsPerSecond(series.median(Measurement::nanos)),
                    millionsPerSecond(series.median(Measurement::cpuNanos)),
                    (double) series.median(Measurement::bytes) / options.events());
        }
        out.printf(
                Locale.ROOT,
                "%nFluxmark / HashMap loop: %.2f (median over the rounds; best against best %.2f, by CPU time %.2f)%n",
                fluxmark.medianRatioTo(boxed, Measurement::nanos),
                (double) boxed.bestNanos() / fluxmark.bestNanos(),
                fluxmark.medianRatioTo(boxed, Measurement::cpuNanos));
        if (options.events() < FEWEST_FOR_RATES) {
            out.printf(
                    Locale.ROOT,
                    "Below %,d events the compiler is still at work: trust the answers, not the rates.%n",
                    FEWEST_FOR_RATES);
        }
        return compare(List.of(boxed, primitive, fluxmark)) ? 0 : 1;
    }

    private double millionsPerSecond(long nanos) {
        return options.events() * 1e3 / nanos;
    }

    private boolean compare(List<Series> answering) {
        Object expected = boxed.outcome();
        for (Series series : answering) {
            for (Measurement measurement : series.measurements()) {
                if (!measurement.outcome().equals(expected)) {
                    out.println("DIFFERENT ANSWERS: " + boxed.contender.name() + " " + expected);
                    out.println("                   " + series.contender.name() + " " + measurement.outcome());
                    return false;
                }
            }
        }
        out.println("Answers equal: " + expected);
        return true;
    }
}
