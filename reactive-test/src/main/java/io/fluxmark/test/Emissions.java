package io.fluxmark.test;

import io.fluxmark.windows.KeyCodec;
import io.fluxmark.windows.PlainBatch.Slot;
import io.fluxmark.windows.TimeWindow;
import io.fluxmark.windows.WindowResult;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Compares what windows and keys have emitted with what they have to. */
final class Emissions {

    private Emissions() {}

    /**
     * Throws for the smallest window and key that has not emitted exactly what it has to; where all have, for the first
     * emission that comes out of turn.
     *
     * @param when where in the input that is
     */
    static <K, R> void checkInOrder(List<WindowResult<K, R>> expected, List<WindowResult<K, R>> got, String when) {
        if (!expected.equals(got)) {
            check(expected, got, when);
            throw differAt(
                    "S18, S33: what fires together comes by end, start and key; what is taken back comes first",
                    expected,
                    got,
                    when + ", ");
        }
    }

    /** The same, whatever the order of emissions of different windows and keys. */
    static <K, R> void check(List<WindowResult<K, R>> expected, List<WindowResult<K, R>> got, String when) {
        Map<Slot<K>, List<Emission<R>>> expectedBySlot = bySlot(expected);
        Map<Slot<K>, List<Emission<R>>> gotBySlot = bySlot(got);
        Set<Slot<K>> slots = new HashSet<>(expectedBySlot.keySet());
        slots.addAll(gotBySlot.keySet());
        slots.stream()
                .filter(slot -> !of(expectedBySlot, slot).equals(of(gotBySlot, slot)))
                .min(order())
                .ifPresent(slot -> {
                    throw differs(slot, of(expectedBySlot, slot), of(gotBySlot, slot), when);
                });
    }

    private static <K, R> Map<Slot<K>, List<Emission<R>>> bySlot(List<WindowResult<K, R>> results) {
        Map<Slot<K>, List<Emission<R>>> bySlot = new HashMap<>();
        results.forEach(
                result -> bySlot.computeIfAbsent(new Slot<>(result.key(), result.window()), slot -> new ArrayList<>())
                        .add(Emission.of(result)));
        return bySlot;
    }

    private static <K, R> List<Emission<R>> of(Map<Slot<K>, List<Emission<R>>> emissions, Slot<K> slot) {
        return emissions.getOrDefault(slot, List.of());
    }

    private static <R> RuleViolation differs(
            Slot<?> slot, List<Emission<R>> expected, List<Emission<R>> got, String when) {
        int equal = equal(expected, got);
        return new RuleViolation(
                "S03, S13, S15, S51: what a window emits, and when",
                when + "\n  window   " + text(slot) + "\n  expected " + Emission.text(expected, equal) + "\n  got      "
                        + Emission.text(got, equal));
    }

    /** A violation of {@code rule} at the first place where the lists differ. */
    static RuleViolation differAt(String rule, List<?> expected, List<?> got, String when) {
        int at = equal(expected, got);
        return new RuleViolation(
                rule,
                when + "emission " + at + " differs\n  expected " + at(expected, at) + "\n  got      " + at(got, at));
    }

    private static Object at(List<?> list, int index) {
        return index < list.size() ? list.get(index) : "nothing";
    }

    private static int equal(List<?> one, List<?> other) {
        int equal = 0;
        while (equal < Math.min(one.size(), other.size()) && one.get(equal).equals(other.get(equal))) {
            equal++;
        }
        return equal;
    }

    /** By window, then by key. */
    static <K> Comparator<Slot<K>> order() {
        Comparator<K> keys = KeyCodec.<K>tagged().order();
        return Comparator.<Slot<K>, TimeWindow>comparing(Slot::window).thenComparing(Slot::key, keys);
    }

    static String text(Slot<?> slot) {
        return "[" + slot.window().start() + ", " + slot.window().end() + ") ms, key " + slot.key();
    }
}
