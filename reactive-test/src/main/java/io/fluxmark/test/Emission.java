package io.fluxmark.test;

import io.fluxmark.windows.WindowResult;
import io.fluxmark.windows.WindowResult.Kind;
import java.util.List;
import java.util.stream.Collectors;

/** What an emission says of its window and key. */
record Emission<R>(Kind kind, R value, int revision, long late, long watermark) {

    private static final int SHOWN = 5;

    static <R> Emission<R> of(WindowResult<?, R> result) {
        return new Emission<>(result.kind(), result.value(), result.revision(), result.late(), result.watermark());
    }

    /** Several emissions in words, from the {@code from}-th on, or what stands for none. */
    static String text(List<? extends Emission<?>> emissions, int from) {
        String equal = from == 0 ? "" : "(" + from + " alike)  ";
        return equal
                + (emissions.size() <= from
                        ? "nothing"
                        : emissions.stream()
                                .skip(from)
                                .limit(SHOWN)
                                .map(Emission::toString)
                                .collect(Collectors.joining("  ")));
    }

    @Override
    public String toString() {
        return (kind == Kind.RETRACT ? "-" : "+") + value + " (" + kind + ", revision " + revision
                + (late == 0 ? "" : ", late " + late) + ", at W=" + watermark + ")";
    }
}
