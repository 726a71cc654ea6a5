package io.fluxmark.benchmarks;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import reactor.core.scheduler.Scheduler;

/** Our pipeline beside the generator alone and hand-written loops, in interleaved rounds. */
final class Bench {

    private static final long FEWEST_FOR_RATES = 5_000_000;
    private static final double NANOS_PER_SECOND = 1e9;
    private static final double MILLION = 1e6;

    private final BenchOptions options;
    private final Scheduler clock;
    private final PrintStream out;
    private final Series generator;
    private final List<Series> loops;
    private final List<Series> pipelines;

    /**
     * @param loops the first is the one that ours are compared with
     * @param pipelines ours; all, and the loops, give equal answers
     */
    Bench(
            BenchOptions options,
            Scheduler clock,
            PrintStream out,
            Generator generator,
            List<Contender> loops,
            List<Contender> pipelines) {
        this.options = options;
        this.clock = clock;
        this.out = out;
        this.generator = new Series(new Contender("generator alone", generator::alone));
        this.loops = loops.stream().map(Series::new).toList();
        this.pipelines = pipelines.stream().map(Series::new).toList();
    }

    /** 0 if all answers are equal, 1 if not. */
    int run(String title) {
        print(
                "%s; %,d events; %d warm-up, %d rounds; JDK %s, %d processors, load %.1f",
                title,
                options.events(),
                options.warmups(),
                options.rounds(),
                Runtime.version(),
                Runtime.getRuntime().availableProcessors(),
                Measurement.load());
        List<Series> all = new ArrayList<>();
        all.add(generator);
        all.addAll(loops);
        all.addAll(pipelines);
        for (int round = -options.warmups(); round < options.rounds(); round++) {
            for (Series series : all) {
                Measurement measurement = Measurement.of(series.contender, options.events(), clock);
                if (round >= 0) {
                    series.add(measurement);
                }
            }
            print(
                    "%s of %d done, load %.1f",
                    round < 0 ? "warm-up " + (round + options.warmups() + 1) : "round " + (round + 1),
                    round < 0 ? options.warmups() : options.rounds(),
                    Measurement.load());
        }
        report(all);
        return compare() ? 0 : 1;
    }

    /** How many ns of time our first pipeline and the loop that it is compared with took for an event, at best. */
    double[] bestNanosPerEvent() {
        return new double[] {
            perEvent(pipelines.get(0).bestNanos()), perEvent(loops.get(0).bestNanos())
        };
    }

    private void report(List<Series> all) {
        Series yardstick = loops.get(0);
        print("%n%-26s %10s %10s %10s %10s %9s %9s", "", "best", "median", "CPU", "allocated", "ratio", "by CPU");
        print("%-26s %10s %10s %10s %10s %9s %9s", "", "M/s", "M/s", "s/M", "B/event", "", "");
        for (Series series : all) {
            print(
                    "%-26s %10.2f %10.2f %10.3f %10.1f %9.2f %9.2f",
                    series.contender.name(),
                    NANOS_PER_SECOND / MILLION / perEvent(series.bestNanos()),
                    NANOS_PER_SECOND / MILLION / perEvent(series.median(Measurement::nanos)),
                    perEvent(series.median(Measurement::cpuNanos)) * MILLION / NANOS_PER_SECOND,
                    perEvent(series.median(Measurement::bytes)),
                    series.medianRatioTo(yardstick, Measurement::nanos),
                    series.medianRatioTo(yardstick, Measurement::cpuNanos));
        }
        Series ours = pipelines.get(0);
        print(
                "%n%s / %s: %.2f (median over the rounds; best against best %.2f, by CPU time %.2f)",
                ours.contender.name(),
                yardstick.contender.name(),
                ours.medianRatioTo(yardstick, Measurement::nanos),
                (double) yardstick.bestNanos() / ours.bestNanos(),
                ours.medianRatioTo(yardstick, Measurement::cpuNanos));
        if (options.events() < FEWEST_FOR_RATES) {
            print(
                    "Below %,d events the compiler is still at work: trust the answers, not the rates.",
                    FEWEST_FOR_RATES);
        }
    }

    private double perEvent(long figure) {
        return (double) figure / options.events();
    }

    private boolean compare() {
        Series yardstick = loops.get(0);
        Object expected = yardstick.outcome();
        List<Series> answering = new ArrayList<>(loops);
        answering.addAll(pipelines);
        for (Series series : answering) {
            for (Measurement measurement : series.measurements()) {
                if (!measurement.outcome().equals(expected)) {
                    print("DIFFERENT ANSWERS: %s %s", yardstick.contender.name(), expected);
                    print("                   %s %s", series.contender.name(), measurement.outcome());
                    return false;
                }
            }
        }
        print("Answers equal: %s", expected);
        return true;
    }

    private void print(String format, Object... arguments) {
        out.printf(Locale.ROOT, format + "%n", arguments);
    }
}
