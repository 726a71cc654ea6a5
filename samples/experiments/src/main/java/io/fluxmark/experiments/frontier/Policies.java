package io.fluxmark.experiments.frontier;

import io.fluxmark.experiments.measure.Figures;
import io.fluxmark.experiments.measure.Plots;
import io.fluxmark.experiments.measure.Table;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import org.knowm.xchart.XYChart;

/** The same short delay with each policy for what comes later: who is lost, who goes aside, who corrects a result. */
final class Policies {

    private static final double STEP = 1.1;

    private final Table table = new Table(
            "input",
            "window_s",
            "delay_s",
            "policy",
            "lateness_s",
            "events",
            "at_first_percent",
            "corrections",
            "in_the_end_percent",
            "settled_after_s",
            "side",
            "lost",
            "most_entries");
    private final Table ages = new Table("input", "policy", "age_s", "complete_percent");
    private final Table state = new Table("policy", "hour", "entries");

    private Policies() {}

    static Policies measure(List<Subject> subjects, PrintStream out) {
        Policies policies = new Policies();
        for (Subject subject : subjects) {
            out.println("E3: " + subject.input().name() + ", drop, side and re-fire");
            policies.measure(subject);
        }
        return policies;
    }

    private void measure(Subject subject) {
        long events = subject.input().judgedEvents();
        for (LatePolicy policy : List.of(LatePolicy.DROP, LatePolicy.SIDE, LatePolicy.refire(subject.lateness()))) {
            Outcome outcome = FrontierRun.of(subject.input(), subject.size(), subject.early(), policy);
            if (!outcome.counters().sumHolds()) {
                throw new IllegalStateException("the outcomes do not sum to the input: " + outcome.counters());
            }
            row(subject, policy, outcome, events);
            curve(subject, policy, outcome, events);
            if (!policy.side() && subject.law() == null) {
                List<Double> hours = outcome.state().moments(3_600);
                for (int i = 0; i < hours.size(); i++) {
                    state.row(
                            policy.name(),
                            Figures.decimal(hours.get(i), 3),
                            outcome.state().entries().get(i).longValue());
                }
            }
        }
    }

    private void row(Subject subject, LatePolicy policy, Outcome outcome, long events) {
        long counted = outcome.byAge().counted();
        table.row(
                subject.input().name(),
                subject.size().toSeconds(),
                subject.early().toSeconds(),
                policy.name(),
                policy.lateness().toSeconds(),
                events,
                Figures.percent(outcome.onTime(), events, 3),
                outcome.corrections(),
                Figures.percent(counted, events, 3),
                outcome.byAge().lastChangeSeconds(),
                outcome.side(),
                events - counted - outcome.side(),
                outcome.state().most());
    }

    private void curve(Subject subject, LatePolicy policy, Outcome outcome, long events) {
        double end = 1.1 * subject.early().plus(subject.lateness()).toSeconds();
        for (double age = 1; age < end; age = Math.max(age + 1, age * STEP)) {
            long seconds = (long) age;
            ages.row(
                    subject.input().name(),
                    policy.name(),
                    seconds,
                    Figures.percent(outcome.byAge().counted(seconds), events, 3));
        }
    }

    Table table() {
        return table;
    }

    void write(Path directory) throws IOException {
        table.write(directory.resolve("E3-policies.csv"));
        ages.write(directory.resolve("E3-ages.csv"));
        state.write(directory.resolve("E3-state.csv"));
        XYChart completeness = Plots.linesOverLog(
                "What the results in force count, one short delay", "s after the end of the window", "% of the events");
        XYChart held = Plots.lines("State: flights by airport, windows of 1 h", "hours", "entries");
        for (String input : new LinkedHashSet<>(ages.texts("input"))) {
            for (String policy : List.of("drop", "re-fire")) {
                Table curve = ages.where("input", input).where("policy", policy);
                Plots.curve(
                        completeness, input + ", " + policy, curve.numbers("age_s"), curve.numbers("complete_percent"));
            }
        }
        for (String policy : List.of("drop", "re-fire")) {
            Table samples = state.where("policy", policy);
            Plots.curve(held, policy, samples.numbers("hour"), samples.numbers("entries"));
        }
        Plots.write(completeness, directory.resolve("E3-ages.png"));
        Plots.write(held, directory.resolve("E3-state.png"));
    }
}
