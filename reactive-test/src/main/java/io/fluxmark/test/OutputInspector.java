package io.fluxmark.test;

import io.fluxmark.windows.Accumulation;
import io.fluxmark.windows.CheckpointBarrier;
import io.fluxmark.windows.EventBatch;
import io.fluxmark.windows.PlainBatch.Slot;
import io.fluxmark.windows.StreamElement;
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
    private final WindowShape shape;
    private final BarrierCheck<K, R> barrierCheck;
    private final List<WindowResult<K, R>> results = new ArrayList<>();
    private final Map<Slot<K>, WindowResult<K, R>> last = new HashMap<>();

    private long watermark = Watermark.NONE;

    /** The retraction that has just come, whose replacement has to follow. */
    private @Nullable WindowResult<K, R> open;

    private boolean ended;

    OutputInspector(WindowSpec windows, BarrierCheck<K, R> barrierCheck) {
        this.windows = windows;
        this.shape = new WindowShape(windows);
        this.barrierCheck = barrierCheck;
    }

    void accept(StreamElement<WindowResult<K, R>> element) {
        if (element instanceof EventBatch<WindowResult<K, R>> batch) {
            for (int i = 0; i < batch.size(); i++) {
                WindowResult<K, R> result = batch.value(i);
                moveTo(batch.watermarkBefore(i), "before " + result);
                inspect(result, batch.timestamp(i), batch.sign(i));
            }
            moveTo(batch.watermarkAfter(), "after a run of results");
        } else if (element instanceof Watermark<?> given) {
            moveTo(given.timestamp(), "as an element");
        } else if (element instanceof CheckpointBarrier<?> barrier) {
            requireClosed("a barrier");
            ended |= barrier.last();
            barrierCheck.check(barrier, (int) barrier.positions().get(0).nextOffset(), this);
        }
    }

    private void moveTo(long next, String where) {
        if (next < watermark) {
            throw new RuleViolation(
                    "S24: the watermark of the output steps back", "from " + watermark + " to " + next + ", " + where);
        }
        if (next > watermark) {
            requireClosed("the watermark " + next);
        }
        watermark = next;
    }

    private void inspect(WindowResult<K, R> result, long timestamp, int sign) {
        shape.check(result, timestamp);
        if (sign != (result.isRetraction() ? -1 : 1)) {
            throw new RuleViolation(
                    "S15: the sign of a retraction is -1, of a value +1", "got " + sign + ": " + result);
        }
        if ((result.kind() == Kind.ON_TIME || result.kind() == Kind.EARLY) && timestamp <= watermark) {
            throw new RuleViolation(
                    "S46: a result on time comes before the watermark that caused it",
                    "the output's watermark already was " + watermark + " when " + result + " came");
        }
        inspectOrder(result);
        results.add(result);
        last.put(new Slot<>(result.key(), result.window()), result);
    }

    private void inspectOrder(WindowResult<K, R> result) {
        WindowResult<K, R> before = last.get(new Slot<>(result.key(), result.window()));
        if (result.isRetraction()) {
            inspectRetraction(result, before);
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
        if (windows.kind() == WindowSpec.Kind.COUNT) {
            return; // the next window of a key may span the same times
        }
        if (before != null && !before.isRetraction() && windows.accumulation() == Accumulation.RETRACT) {
            throw new RuleViolation(
                    "S15: a window and key has one live value",
                    result + " stands beside " + before + ", which was not taken back");
        }
        int revision = before == null ? 0 : before.revision() + 1;
        if (result.revision() != revision) {
            throw new RuleViolation("S15: revisions rise by one", "expected revision " + revision + ", got " + result);
        }
    }

    /** A retraction equals the last emission, and where windows keep their bounds its replacement comes next. */
    private void inspectRetraction(WindowResult<K, R> result, @Nullable WindowResult<K, R> before) {
        requireClosed("another retraction, " + result);
        boolean live = before != null && !before.isRetraction();
        if (before == null
                || !live
                || !before.value().equals(result.value())
                || before.revision() != result.revision()) {
            throw new RuleViolation(
                    "S15: a retraction equals the last emission of its window and key",
                    "retracted " + result + ", last emitted " + (before == null ? "nothing" : before));
        }
        if (windows.accumulation() != Accumulation.RETRACT) {
            throw new RuleViolation("S40: a window takes nothing back when " + windows.accumulation(), "got " + result);
        }
        open = windows.hasFixedWindows() ? result : null;
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
}
