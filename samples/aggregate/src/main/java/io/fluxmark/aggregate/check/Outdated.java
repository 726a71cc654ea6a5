package io.fluxmark.aggregate.check;

import io.fluxmark.windows.Accumulation;
import io.fluxmark.windows.TimeWindow;
import io.fluxmark.windows.WindowSpec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Results of sessions that have grown since: accumulating takes nothing back, and the receiver finds the larger one. */
final class Outdated {

    private final Map<Object, List<TimeWindow>> sessions = new HashMap<>();

    Outdated(WindowSpec spec, Set<Slot> expected) {
        if (spec.kind() == WindowSpec.Kind.SESSION && spec.accumulation() == Accumulation.ACCUMULATE) {
            expected.forEach(slot -> sessions.computeIfAbsent(slot.key(), key -> new ArrayList<>())
                    .add(slot.window()));
        }
    }

    boolean includes(Slot slot) {
        TimeWindow window = slot.window();
        return sessions.getOrDefault(slot.key(), List.of()).stream()
                .anyMatch(larger -> larger.start() <= window.start() && larger.end() >= window.end());
    }
}
