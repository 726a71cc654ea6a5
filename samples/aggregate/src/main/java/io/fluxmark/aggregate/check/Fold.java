package io.fluxmark.aggregate.check;

import io.fluxmark.aggregate.value.Term;
import io.fluxmark.aggregate.value.Value;
import io.fluxmark.windows.Accumulation;
import io.fluxmark.windows.WindowResult;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/** What the emissions of a run leave behind, by the rules of their accumulation mode. */
final class Fold {

    private final Accumulation mode;
    private final List<Term> terms;
    private final Differences differences;
    private final BiFunction<WindowResult<Object, Value>, Fold, Slot> place;
    private final Map<Slot, Value> live = new HashMap<>();

    /** {@code place} says which emissions are of one value. */
    Fold(
            Accumulation mode,
            List<Term> terms,
            Differences differences,
            BiFunction<WindowResult<Object, Value>, Fold, Slot> place) {
        this.mode = mode;
        this.terms = terms;
        this.differences = differences;
        this.place = place;
    }

    void add(WindowResult<Object, Value> result) {
        Slot slot = place.apply(result, this);
        Value value = result.value();
        if (result.isRetraction()) {
            if (!value.equals(live.remove(slot))) {
                differences.add(slot + ": " + value + " is taken back and was not the value in force");
            }
        } else if (mode == Accumulation.DISCARD) {
            live.merge(slot, value, this::sum);
        } else if (live.put(slot, value) != null && mode == Accumulation.RETRACT) {
            differences.add(slot + ": " + value + " stands beside a value that was not taken back");
        }
    }

    private Value sum(Value a, Value b) {
        List<@Nullable Number> sums = new ArrayList<>();
        for (int i = 0; i < terms.size(); i++) {
            sums.add(PlainAggregate.sum(
                    terms.get(i).kind(), a.numbers().get(i), b.numbers().get(i)));
        }
        return new Value(terms, sums);
    }

    /** Whether there is a value at {@code slot} that the next one would not replace. */
    boolean isSettled(Slot slot) {
        return mode == Accumulation.RETRACT && live.containsKey(slot);
    }

    Map<Slot, Value> live() {
        return live;
    }
}
