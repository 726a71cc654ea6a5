package io.fluxmark.test;

import io.fluxmark.windows.KeyCodec;
import io.fluxmark.windows.PlainBatch.Slot;
import io.fluxmark.windows.TimeWindow;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Compares what windows and keys have emitted with what they have to. */
final class Emissions {

    private Emissions() {}

    /**
     * Throws for the smallest window and key that has not emitted exactly what it has to.
     *
     * @param when where in the input that is
     */
    static <K, R> void check(
            Map<Slot<K>, List<Emission<R>>> expected, Map<Slot<K>, List<Emission<R>>> got, String when) {
        Set<Slot<K>> slots = new HashSet<>(expected.keySet());
        slots.addAll(got.keySet());
        slots.stream()
                .filter(slot -> !of(expected, slot).equals(of(got, slot)))
                .min(order())
                .ifPresent(slot -> {
                    throw differs(slot, of(expected, slot), of(got, slot), when);
                });
    }

    private static <K, R> List<Emission<R>> of(Map<Slot<K>, List<Emission<R>>> emissions, Slot<K> slot) {
        return emissions.getOrDefault(slot, List.of());
    }

    private static <R> RuleViolation differs(
            Slot<?> slot, List<Emission<R>> expected, List<Emission<R>> got, String when) {
        int equal = 0;
        while (equal < Math.min(expected.size(), got.size())
                && expected.get(equal).equals(got.get(equal))) {
            equal++;
        }
        return new RuleViolation(
                "S03, S13, S15, S51: what a window emits, and when",
                when + "\n  window   " + text(slot) + "\n  expected " + Emission.text(expected, equal) + "\n  got      "
                        + Emission.text(got, equal));
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
