package io.fluxmark.aggregate.check;

import io.fluxmark.aggregate.WindowText;
import io.fluxmark.aggregate.run.Event;
import io.fluxmark.aggregate.run.PipelineSettings;
import io.fluxmark.aggregate.value.Term;
import io.fluxmark.aggregate.value.Value;
import io.fluxmark.windows.Accumulation;
import io.fluxmark.windows.Counter;
import io.fluxmark.windows.Counters;
import io.fluxmark.windows.EventBatch;
import io.fluxmark.windows.StreamElement;
import io.fluxmark.windows.TimeWindow;
import io.fluxmark.windows.WindowResult;
import io.fluxmark.windows.WindowSpec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Holds the output of a run against the batch result over what the run accepted. It looks at the events between event time
 * and the windows, judges each one by the rules and the watermark before it, computes the answers by sorting and looping,
 * and folds what was emitted. It shares the definition of the windows with the pipeline, and nothing else. Remembers every
 * event.
 */
public final class BatchCheck {

    private final WindowSpec spec;
    private final List<Term> terms;
    private final Judge judge;
    private final PlainDedupe dedupe;
    private final Differences differences = new Differences();
    private final Fold fold;
    private final NumberedWindows.Places places = new NumberedWindows.Places();

    /** For windows that follow from the timestamp, by window; for others by key, in the order of the input. */
    private final Map<Slot, List<Event>> accepted = new HashMap<>();

    /** Of a run of {@code pipeline} with its windows as named. */
    public BatchCheck(WindowText windows, PipelineSettings pipeline) {
        this.spec = windows.spec();
        this.terms = pipeline.terms();
        this.judge = new Judge(windows);
        this.dedupe = new PlainDedupe(pipeline.timeToLive(), pipeline.global());
        this.fold = new Fold(spec.accumulation(), terms, differences, this::place);
    }

    private Slot place(WindowResult<Object, Value> result, Fold emissions) {
        if (addsUpByKey()) {
            return new Slot(result.key(), ANY);
        }
        return spec.kind() == WindowSpec.Kind.COUNT
                ? places.of(result, emissions)
                : new Slot(result.key(), result.window());
    }

    /** The place of what is not looked at window by window. */
    private static final TimeWindow ANY = new TimeWindow(0, 0);

    /** Sessions that only tell what is new do not say where it belongs once they are merged. */
    private boolean addsUpByKey() {
        return spec.accumulation() == Accumulation.DISCARD && !spec.hasFixedWindows();
    }

    /** What comes out of event time. */
    public void timed(StreamElement<Event> element) {
        if (element instanceof EventBatch<Event> run) {
            for (int i = 0; i < run.size(); i++) {
                Event event = run.value(i);
                if (!dedupe.passes(event, run.timestamp(i), run.watermarkBefore(i))) {
                    continue;
                }
                List<TimeWindow> takers = judge.judge(run.timestamp(i), run.watermarkBefore(i));
                for (TimeWindow window : takers) {
                    Slot slot = new Slot(event.key(), spec.hasFixedWindows() ? window : ANY);
                    accepted.computeIfAbsent(slot, s -> new ArrayList<>()).add(event);
                }
            }
        }
    }

    /** An emission. */
    public void result(WindowResult<Object, Value> result) {
        fold.add(result);
    }

    /** The verdict, once the input has ended. */
    public Verdict verdict(Counters counters) {
        compareCounters(counters);
        Map<Slot, Value> expected = expected();
        compare(expected, fold.live());
        return new Verdict(
                expected.size(),
                judge.accepted(),
                judge.late() + dedupe.late(),
                differences.count(),
                differences.first());
    }

    private void compareCounters(Counters counters) {
        differences.expect("accepted events", judge.accepted(), counters.accepted());
        differences.expect(
                "late events",
                judge.late() + dedupe.late(),
                counters.get(Counter.DROPPED) + counters.get(Counter.SIDE));
        differences.expect("duplicates", dedupe.duplicates(), counters.get(Counter.DUPLICATES));
        differences.expect("unassigned events", judge.unassigned(), counters.get(Counter.UNASSIGNED));
        if (spec.hasFixedWindows()) {
            differences.expect(
                    "accepted assignments", judge.acceptedAssignments(), counters.get(Counter.ACCEPTED_ASSIGNMENTS));
            differences.expect("late assignments", judge.lateAssignments(), counters.get(Counter.LATE_ASSIGNMENTS));
            differences.expect("partly late events", judge.partial(), counters.get(Counter.PARTIAL));
            differences.expect("re-fired events", judge.refired(), counters.get(Counter.REFIRED));
        }
    }

    private Map<Slot, Value> expected() {
        Map<Slot, Value> expected = new HashMap<>();
        accepted.forEach((slot, events) ->
                parts(slot, events).forEach((part, members) -> expected.put(part, PlainAggregate.of(terms, members))));
        return expected;
    }

    private Map<Slot, List<Event>> parts(Slot slot, List<Event> events) {
        if (addsUpByKey()) {
            return Map.of(slot, events);
        }
        return switch (spec.kind()) {
            case SESSION -> NumberedWindows.sessions(slot.key(), events, spec.sizeMillis());
            case COUNT -> NumberedWindows.counted(slot.key(), events, spec.sizeMillis());
            case GLOBAL -> Map.of(new Slot(slot.key(), new TimeWindow(Long.MIN_VALUE, Long.MAX_VALUE)), events);
            default -> Map.of(slot, events);
        };
    }

    private void compare(Map<Slot, Value> expected, Map<Slot, Value> actual) {
        expected.entrySet().stream()
                .sorted(Map.Entry.comparingByKey(Slot.ORDER))
                .forEach(entry -> {
                    Value got = actual.get(entry.getKey());
                    if (got == null || !equal(entry.getValue(), got)) {
                        differences.add(entry.getKey() + ": the batch has " + entry.getValue() + ", the run " + got);
                    }
                });
        Outdated outdated = new Outdated(spec, expected.keySet());
        actual.keySet().stream()
                .filter(slot -> !expected.containsKey(slot) && !outdated.includes(slot))
                .sorted(Slot.ORDER)
                .forEach(slot -> differences.add(slot + ": the batch has nothing, the run " + actual.get(slot)));
    }

    /** A mean of parts says nothing of the mean of the whole. */
    private boolean equal(Value expected, Value actual) {
        for (int i = 0; i < terms.size(); i++) {
            boolean known =
                    spec.accumulation() != Accumulation.DISCARD || terms.get(i).kind() != Term.Kind.AVG;
            if (known
                    && !Objects.equals(
                            expected.numbers().get(i), actual.numbers().get(i))) {
                return false;
            }
        }
        return true;
    }
}
