package io.fluxmark.windows;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What of a pipeline under assembly is split by key; immutable.
 *
 * @param operators the names of the stages that are
 * @param lanes among how many threads, the most of all
 * @param before the outputs of failures that functions before them use
 */
record Splits(List<String> operators, int lanes, List<FailureSink> before) {

    static final Splits NONE = new Splits(List.of(), 0, List.of());

    /** The same with one more stage; null where no function before it has an output of its own. */
    Splits and(String operator, int amongLanes, @Nullable FailureSink used) {
        List<String> all = new ArrayList<>(operators);
        all.add(operator);
        List<FailureSink> sinks = new ArrayList<>(before);
        if (used != null) {
            sinks.add(used);
        }
        return new Splits(List.copyOf(all), Math.max(lanes, amongLanes), List.copyOf(sinks));
    }

    /** Those of both sides of a join. */
    Splits and(Splits right) {
        List<String> all = new ArrayList<>(operators);
        all.addAll(right.operators);
        List<FailureSink> sinks = new ArrayList<>(before);
        sinks.addAll(right.before);
        return new Splits(List.copyOf(all), Math.max(lanes, right.lanes), List.copyOf(sinks));
    }

    boolean usesBefore(FailureSink sink) {
        return before.contains(sink);
    }
}
