package io.fluxmark.test;

import io.fluxmark.windows.CheckpointBarrier;
import io.fluxmark.windows.EventBatch;
import io.fluxmark.windows.PlainBatch.Slot;
import io.fluxmark.windows.StreamElement;
import io.fluxmark.windows.TimeWindow;
import io.fluxmark.windows.Watermark;
import io.fluxmark.windows.WindowResult;
import io.fluxmark.windows.WindowResult.Kind;
import io.fluxmark.windows.WindowSpec;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Looks at the output element by element, while it comes, and throws the first {@link RuleViolation}. What needs more
 * than the output itself, it leaves to a {@link BarrierCheck}. Used by one subscriber.
 */
final class OutputInspector<K, R> {

    /** What is checked when the barrier behind the first {@code events} events has come through. */
    interface BarrierCheck<K, R> {
        void check(CheckpointBarrier<?> barrier, int events, OutputInspector<K, R> output);
    }

    private final WindowSpec windows;
    private final BarrierCheck<K, R> barrierCheck;
    private final List<WindowResult<K, R>> results = new ArrayList<>();
    private final Map<Slot<K>, List<Emission<R>>> bySlot = new HashMap<>();

    private long watermark = Watermark.NONE;
    private @Nullable WindowResult<K, R> open;
    private boolean ended;

    OutputInspector(WindowSpec windows, BarrierCheck<K, R> barrierCheck) {
        this.windows = windows;
        this.barrierCheck = barrierCheck;
    }

    void accept(StreamElement<WindowResult<K, R>> element) {
        if (element instanceof EventBatch<WindowResult<K, R>> batch) {
            for (int i = 0; i < batch.size(); i++) {
                WindowResult<K, R> result = batch.value(i);
                moveTo(batch.watermarkBefore(i), "before " + result);
                inspect(result, batch.timestamp(i), batch.sign(i));
            }
            requireClosed("the end of a run");
            moveTo(batch.watermarkAfter(), "after a run of results");
        } else if (element instanceof Watermark<?> given) {
            moveTo(given.timestamp(), "as an element");
        } else if (element instanceof CheckpointBarrier<?> barrier) {
            ended |= barrier.last();
            barrierCheck.check(barrier, (int) barrier.positions().get(0).nextOffset(), this);
        }
    }

    private void moveTo(long next, String where) {
        if (next < watermark) {
            throw new RuleViolation(
                    "S24: the watermark of the output steps back", "from " + watermark + " to " + next + ", " + where);
        }
        watermark = next;
    }

    private void inspect(WindowResult<K, R> result, long timestamp, int sign) {
        TimeWindow window = result.window();
        if (window.end() - window.start() != windows.sizeMillis()
                || Math.floorMod(window.start() - windows.offsetMillis(), windows.sizeMillis()) != 0) {
            throw new RuleViolation(
                    "S02, S05: a window that " + windows + " does not have", "got " + window + " in " + result);
        }
        if (timestamp != window.end() - 1) {
            throw new RuleViolation(
                    "S46: a result carries the last instant of its window",
                    "expected timestamp " + (window.end() - 1) + ", got " + timestamp + ": " + result);
        }
        if (sign != (result.isRetraction() ? -1 : 1)) {
            throw new RuleViolation(
                    "S15: the sign of a retraction is -1, of a value +1", "got " + sign + ": " + result);
        }
        if (result.kind() == Kind.ON_TIME && timestamp <= watermark) {
            throw new RuleViolation(
                    "S46: a result on time comes before the watermark that caused it",
                    "the output's watermark already was " + watermark + " when " + result + " came");
        }
        inspectOrder(result);
        results.add(result);
        bySlot.computeIfAbsent(new Slot<>(result.key(), window), s -> new ArrayList<>())
                .add(Emission.of(result));
    }

    /** Retractions equal the last emission and stand next to what replaces them. */
    private void inspectOrder(WindowResult<K, R> result) {
        List<Emission<R>> before = bySlot.getOrDefault(new Slot<>(result.key(), result.window()), List.of());
        Emission<R> last = before.isEmpty() ? null : before.get(before.size() - 1);
        boolean live = last != null && last.kind() != Kind.RETRACT;
        if (result.isRetraction()) {
            requireClosed("another retraction, " + result);
            if (last == null || !live || !last.value().equals(result.value()) || last.revision() != result.revision()) {
                throw new RuleViolation(
                        "S15: a retraction equals the last emission of its window and key",
                        "retracted " + result + ", last emitted " + (last == null ? "nothing" : last));
            }
            open = result;
            return;
        }
        WindowResult<K, R> retraction = open;
        open = null;
        if (retraction != null
                && !(retraction.key().equals(result.key())
                        && retraction.window().equals(result.window()))) {
            throw new RuleViolation(
                    "S15: a retraction and the value that replaces it stand next to each other",
                    "between " + retraction + " and its replacement came " + result);
        }
        if (live) {
            throw new RuleViolation(
                    "S15: a window and key has one live value",
                    result + " stands beside " + last + ", which was not taken back");
        }
        int revision = last == null ? 0 : last.revision() + 1;
        if (result.revision() != revision) {
            throw new RuleViolation("S15: revisions rise by one", "expected revision " + revision + ", got " + result);
        }
    }

    private void requireClosed(String what) {
        if (open != null) {
            throw new RuleViolation(
                    "S15: a retraction and the value that replaces it stand next to each other",
                    "behind " + open + " came " + what);
        }
    }

    /** Checks that the stream has come to its end. */
    void requireEnd() {
        if (watermark != Watermark.END) {
            throw new RuleViolation(
                    "S33: the end of the stream reaches the output as the last watermark",
                    "the last watermark of the output was " + watermark);
        }
        if (!ended) {
            throw new RuleViolation(
                    "a barrier is never dropped", "the output completed without the last barrier of the input");
        }
    }

    /** The watermark of the output so far. */
    long watermark() {
        return watermark;
    }

    /** All results so far, in order. */
    List<WindowResult<K, R>> results() {
        return results;
    }

    /** The same by window and key. */
    Map<Slot<K>, List<Emission<R>>> bySlot() {
        return bySlot;
    }
}
