package io.fluxmark.test;

import io.fluxmark.windows.Accumulation;
import io.fluxmark.windows.PlainBatch;
import io.fluxmark.windows.PlainBatch.BatchResult;
import io.fluxmark.windows.PlainBatch.Slot;
import io.fluxmark.windows.WindowResult;
import io.fluxmark.windows.WindowResult.Kind;
import io.fluxmark.windows.WindowSpec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BinaryOperator;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/** Holds what an output comes to against plain batch over what was accepted (S51). */
final class BatchCheck<T, K, A, R> {

    private final WindowedPipeline<T, K, A, R> pipeline;
    private final WindowSpec windows;
    private final Map<Slot<K>, List<R>> batch = new HashMap<>();

    BatchCheck(WindowedPipeline<T, K, A, R> pipeline, Expectation<T, K, R> expectation) {
        this.pipeline = pipeline;
        this.windows = pipeline.windows();
        for (BatchResult<K, R> result : evaluate(expectation)) {
            add(batch, new Slot<>(result.key(), result.window()), result.value());
        }
    }

    private List<BatchResult<K, R>> evaluate(Expectation<T, K, R> expectation) {
        if (windows.hasFixedWindows()) {
            return PlainBatch.evaluateAssigned(
                    expectation.assigned(), pipeline.time(), pipeline.key(), pipeline.aggregation());
        }
        ToLongFunction<? super T> gap = pipeline.gap();
        return PlainBatch.evaluate(
                expectation.accepted(),
                pipeline.time(),
                pipeline.key(),
                windows,
                gap == null ? event -> windows.sizeMillis() : gap,
                pipeline.aggregation());
    }

    private static <K, R> void add(Map<Slot<K>, List<R>> values, Slot<K> slot, R value) {
        values.computeIfAbsent(slot, s -> new ArrayList<>()).add(value);
    }

    void check(List<WindowResult<K, R>> results) {
        Map<Slot<K>, List<R>> folded = fold(results);
        if (folded == null) {
            return;
        }
        Set<Slot<K>> slots = new HashSet<>(batch.keySet());
        slots.addAll(folded.keySet());
        slots.stream()
                .filter(slot -> !at(batch, slot).equals(at(folded, slot)))
                .min(Emissions.order())
                .ifPresent(slot -> {
                    throw new RuleViolation(
                            "S51: the fold of the output equals plain batch over the accepted events",
                            "window " + Emissions.text(slot) + "\n  expected " + at(batch, slot) + "\n  got      "
                                    + at(folded, slot));
                });
    }

    private static <K, R> List<R> at(Map<Slot<K>, List<R>> values, Slot<K> slot) {
        return values.getOrDefault(slot, List.of());
    }

    /** What the output comes to, or null where only single results can be checked. */
    private @Nullable Map<Slot<K>, List<R>> fold(List<WindowResult<K, R>> results) {
        Accumulation mode = windows.accumulation();
        BinaryOperator<R> sum = pipeline.sum();
        if (windows.kind() == WindowSpec.Kind.COUNT) {
            return mode == Accumulation.DISCARD ? null : foldCounted(results, mode);
        }
        if (mode == Accumulation.DISCARD) {
            return sum == null ? null : single(PlainBatch.sum(windows, results, sum));
        }
        return single(mode == Accumulation.RETRACT ? PlainBatch.fold(results) : PlainBatch.latest(windows, results));
    }

    private static <K, R> Map<Slot<K>, List<R>> single(Map<Slot<K>, R> values) {
        Map<Slot<K>, List<R>> lists = new HashMap<>();
        values.forEach((slot, value) -> lists.put(slot, List.of(value)));
        return lists;
    }

    /** Two count windows of a key may span the same times, and share a place. */
    private Map<Slot<K>, List<R>> foldCounted(List<WindowResult<K, R>> results, Accumulation mode) {
        Map<Slot<K>, List<R>> values = new HashMap<>();
        for (WindowResult<K, R> result : results) {
            Slot<K> slot = new Slot<>(result.key(), result.window());
            if (result.isRetraction()) {
                List<R> live = values.getOrDefault(slot, new ArrayList<>());
                live.remove(live.lastIndexOf(result.value()));
            } else if (mode == Accumulation.RETRACT || result.kind() == Kind.ON_TIME) {
                add(values, slot, result.value());
            }
        }
        return values;
    }
}
