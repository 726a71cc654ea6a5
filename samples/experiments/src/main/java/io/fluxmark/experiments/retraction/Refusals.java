package io.fluxmark.experiments.retraction;

import io.fluxmark.experiments.measure.Table;
import io.fluxmark.windows.Accumulation;
import io.fluxmark.windows.Aggregation;
import io.fluxmark.windows.Aggregations;
import io.fluxmark.windows.EventFlux;
import io.fluxmark.windows.WindowResult;
import io.fluxmark.windows.WindowSpec;
import java.time.Duration;
import reactor.core.publisher.Flux;

/** Second stages that can't take a result back: is such a pipeline refused when it is assembled? */
final class Refusals {

    static final String REFUSED = "refused";

    private Refusals() {}

    static Table measure() {
        Table table = new Table("second_stage", "first_stage", REFUSED);
        row(table, "a maximum", Accumulation.RETRACT, ChainedRun.totals(), Aggregations.maxLong(WindowResult::value));
        row(
                table,
                "sessions",
                Accumulation.RETRACT,
                WindowSpec.session(Duration.ofMinutes(1)),
                Aggregations.summingLong(WindowResult::value));
        row(
                table,
                "a sum that allows less lateness than the first stage",
                Accumulation.RETRACT,
                ChainedRun.totals().allowedLateness(Duration.ZERO),
                Aggregations.summingLong(WindowResult::value));
        row(table, "a sum", Accumulation.RETRACT, ChainedRun.totals(), Aggregations.summingLong(WindowResult::value));
        row(
                table,
                "a maximum",
                Accumulation.ACCUMULATE,
                ChainedRun.totals(),
                Aggregations.maxLong(WindowResult::value));
        return table;
    }

    private static <A> void row(
            Table table,
            String stage,
            Accumulation accumulation,
            WindowSpec second,
            Aggregation<WindowResult<String, Long>, A, Long> aggregation) {
        String refused = "no";
        try {
            ChainedRun.pipeline(EventFlux.from(Flux.empty()), accumulation, live -> {}, second, aggregation);
        } catch (IllegalStateException e) {
            refused = "yes";
        }
        table.row(stage, accumulation == Accumulation.RETRACT ? "retracts" : "only corrects", refused);
    }
}
