package io.fluxmark.test;

import io.fluxmark.test.Outcomes.Outcome;
import io.fluxmark.windows.Aggregation;
import io.fluxmark.windows.PlainBatch.Slot;
import io.fluxmark.windows.TimeWindow;
import io.fluxmark.windows.WindowResult.Kind;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What a pipeline has to do with a sequence of events, found by plain loops over the whole of it: what becomes of each
 * event, and for each window and key the emissions and the number of events after which each is due.
 */
final class Expectation<T, K, R> {

    /** An emission, and after how many events it is due; one more than there are events means the end of the stream. */
    record Due<R>(Emission<R> emission, int after) {}

    /** A late event as the late output sees it. */
    record Late<T>(T event, long timestamp, long watermark) {}

    private final List<Outcomes> outcomes = new ArrayList<>();
    private final List<Long> watermarks = new ArrayList<>();
    private final List<T> accepted = new ArrayList<>();
    private final List<Late<T>> late = new ArrayList<>();
    private final Map<Slot<K>, List<Due<R>>> emissions = new HashMap<>();
    private final int[] dueAfter;

    private Expectation(int events) {
        this.dueAfter = new int[events + 2];
        outcomes.add(Outcomes.NONE);
        watermarks.add(Long.MIN_VALUE);
    }

    static <T, K, A, R> Expectation<T, K, R> of(WindowedPipeline<T, K, A, R> pipeline, List<T> arrivals) {
        Expectation<T, K, R> expectation = new Expectation<>(arrivals.size());
        Map<Slot<K>, List<Added<T>>> added = expectation.judge(pipeline, arrivals);
        added.forEach((slot, events) -> expectation.emissions.put(slot, expectation.emit(pipeline, slot, events)));
        expectation.emissions.values().forEach(all -> all.forEach(due -> expectation.dueAfter[due.after()]++));
        for (int i = 1; i < expectation.dueAfter.length; i++) {
            expectation.dueAfter[i] += expectation.dueAfter[i - 1];
        }
        return expectation;
    }

    private record Added<T>(T event, Outcome outcome, int number, long watermark) {}

    private Map<Slot<K>, List<Added<T>>> judge(WindowedPipeline<T, K, ?, R> pipeline, List<T> arrivals) {
        Judgement judgement = new Judgement(pipeline);
        Map<Slot<K>, List<Added<T>>> added = new HashMap<>();
        for (T event : arrivals) {
            long before = judgement.watermark();
            long timestamp = timestamp(pipeline, event);
            Outcome outcome = judgement.judge(timestamp);
            outcomes.add(outcomes.get(outcomes.size() - 1).plus(outcome));
            watermarks.add(judgement.watermark());
            if (outcome == Outcome.LATE) {
                late.add(new Late<>(event, timestamp, before));
            } else if (outcome != Outcome.REJECTED) {
                accepted.add(event);
                Slot<K> slot = new Slot<>(pipeline.key().apply(event), judgement.windowOf(timestamp));
                added.computeIfAbsent(slot, s -> new ArrayList<>())
                        .add(new Added<>(event, outcome, outcomes.size() - 1, before));
            }
        }
        return added;
    }

    /** An event that has no timestamp gets one that is rejected. */
    private static <T> long timestamp(WindowedPipeline<T, ?, ?, ?> pipeline, T event) {
        try {
            return pipeline.time().epochMillis(event);
        } catch (RuntimeException e) {
            return Long.MAX_VALUE;
        }
    }

    private <A> List<Due<R>> emit(WindowedPipeline<T, K, A, R> pipeline, Slot<K> slot, List<Added<T>> events) {
        Aggregation<? super T, A, R> aggregation = pipeline.aggregation();
        List<Due<R>> due = new ArrayList<>();
        A accumulator = aggregation.create();
        R live = null;
        int revision = 0;
        long lateCount = 0;
        int next = 0;
        while (next < events.size() && events.get(next).outcome() == Outcome.ON_TIME) {
            accumulator = aggregation.add(accumulator, events.get(next++).event());
        }
        if (next > 0) {
            live = aggregation.result(accumulator);
            int closed = closedAfter(slot.window());
            due.add(new Due<>(new Emission<>(Kind.ON_TIME, live, 0, 0, watermarkAfter(closed)), closed));
        }
        for (Added<T> refired : events.subList(next, events.size())) {
            accumulator = aggregation.add(accumulator, refired.event());
            R value = aggregation.result(accumulator);
            long at = refired.watermark();
            if (live != null && !live.equals(value)) {
                due.add(new Due<>(new Emission<>(Kind.RETRACT, live, revision++, lateCount, at), refired.number()));
            }
            lateCount++;
            if (live == null || !live.equals(value)) {
                due.add(new Due<>(new Emission<>(Kind.LATE, value, revision, lateCount, at), refired.number()));
            }
            live = value;
        }
        return due;
    }

    private int closedAfter(TimeWindow window) {
        for (int n = 0; n < watermarks.size(); n++) {
            if (watermarks.get(n) >= window.end() - 1) {
                return n;
            }
        }
        return watermarks.size();
    }

    /** What has become of the first {@code n} events. */
    Outcomes outcomesAfter(int n) {
        return outcomes.get(Math.min(n, outcomes.size() - 1));
    }

    /** The watermark after {@code n} events; one more than there are events is the end of the stream. */
    long watermarkAfter(int n) {
        return n < watermarks.size() ? watermarks.get(n) : Long.MAX_VALUE;
    }

    /** How many emissions are due after {@code n} events. */
    int emissionsAfter(int n) {
        return dueAfter[n];
    }

    /** The emissions that are due after {@code n} events, by window and key. */
    Map<Slot<K>, List<Emission<R>>> emissionsUpTo(int n) {
        Map<Slot<K>, List<Emission<R>>> due = new HashMap<>();
        emissions.forEach((slot, all) -> {
            List<Emission<R>> some = all.stream()
                    .filter(each -> each.after() <= n)
                    .map(Due::emission)
                    .toList();
            if (!some.isEmpty()) {
                due.put(slot, some);
            }
        });
        return due;
    }

    /** The events that belong to the result. */
    List<T> accepted() {
        return accepted;
    }

    /** The events past the allowed lateness, in order of arrival. */
    List<Late<T>> late() {
        return late;
    }
}
