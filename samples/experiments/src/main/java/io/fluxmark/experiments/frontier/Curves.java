package io.fluxmark.experiments.frontier;

import io.fluxmark.experiments.measure.Figures;
import io.fluxmark.experiments.measure.Table;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;

/** Completeness and latency for every size of windows and every delay: the frontier itself. */
final class Curves {

    static final String COMPLETE = "complete_percent";
    static final String P50 = "latency_p50_s";
    static final String P99 = "latency_p99_s";

    private Curves() {}

    static Table measure(List<Subject> subjects, PrintStream out) {
        Table table = new Table(
                "input",
                "window_s",
                "delay_s",
                "events",
                "on_time",
                COMPLETE,
                "by_the_law_percent",
                P50,
                P99,
                "most_entries");
        for (Subject subject : subjects) {
            for (Duration size : subject.sizes()) {
                long events = subject.inputFor(size).judgedEvents();
                out.println(Figures.text(
                        "E3: %s, windows of %s, %d delays",
                        subject.input().name(),
                        Figures.duration(size),
                        subject.delays().size()));
                for (Duration delay : subject.delays()) {
                    row(table, subject, size, delay, events);
                }
            }
        }
        return table;
    }

    private static void row(Table table, Subject subject, Duration size, Duration delay, long events) {
        Outcome outcome = FrontierRun.of(subject.inputFor(size), size, delay, LatePolicy.DROP);
        LatenessLaw law = subject.law();
        table.row(
                subject.input().name(),
                size.toSeconds(),
                delay.toSeconds(),
                events,
                outcome.onTime(),
                Figures.percent(outcome.onTime(), events, 3),
                law == null ? "" : Figures.percent(law.completeness(size.toMillis(), delay.toMillis()), 1, 3),
                Figures.decimal(outcome.latencySeconds(0.5), 1),
                Figures.decimal(outcome.latencySeconds(0.99), 1),
                outcome.state().most());
    }

    /** One input at one size. */
    static Table of(Table curves, Subject subject, Duration size) {
        return curves.where("input", subject.input().name()).where("window_s", size.toSeconds());
    }
}
