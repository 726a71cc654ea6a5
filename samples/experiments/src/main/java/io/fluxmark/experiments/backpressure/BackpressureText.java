package io.fluxmark.experiments.backpressure;

import io.fluxmark.experiments.measure.Prediction;
import io.fluxmark.experiments.measure.Section;
import io.fluxmark.experiments.measure.Table;
import io.fluxmark.experiments.measure.Trend;
import io.fluxmark.windows.Counter;
import java.util.List;

/** What the report says about sustained backpressure, around the measured tables. */
final class BackpressureText {

    /** MB between minute 1 and minute 10, to either side. */
    private static final Prediction GROWTH = new Prediction(-5, 5);

    /** Of which a trend is looked for. */
    private static final int LAST = 5;

    private BackpressureText() {}

    static List<String> of(Table heap, Table contrast, Unbounded unbounded, Shedding.Outcome shed) {
        List<Double> live = heap.numbers("live_heap_mb");
        int samples = live.size();
        double growth = live.get(samples - 1) - live.get(0);
        Trend trend = Trend.of(
                heap.numbers("minute").subList(samples - LAST, samples), live.subList(samples - LAST, samples));
        double rise = trend.slope() * (LAST - 1);
        return new Section("E10")
                .paragraph(
                        "Measured: **the live heap differs by %.2f MB between minute 1 and minute 10 (below 5 MB: %s).** Over"
                                + " the last five minutes the trend is %.3f MB in all and single samples scatter about it by %.3f MB"
                                + " (no rise above the scatter: %s). The unbounded queue %s after %s s at 512 MB (not 60 s: %s)."
                                + " Shedding drops %.2f %% and every event is accounted for: %s.",
                        growth,
                        GROWTH.verdict(growth),
                        rise,
                        trend.scatter(),
                        Prediction.verdict(rise <= trend.scatter()),
                        unbounded.survived() ? "was still there" : "was out of memory",
                        unbounded.lasted(),
                        Prediction.verdict(!unbounded.survived()),
                        100.0 * shed.dropped() / shed.offered(),
                        Prediction.verdict(shed.sumHolds()))
                .paragraph(
                        "A job over a log of one partition (windows of 1 s, %,d keys, a commit every second) takes 1,000 events"
                                + " a second, as a clock lets it; a producer appends 100,000 a second. The live heap is what is used"
                                + " after a full collection, of the whole process. The backlog is records that wait in the log's"
                                + " files.",
                        PacedJob.KEYS)
                .table(
                        heap,
                        "minute",
                        "minute",
                        "live_heap_mb",
                        "live heap, MB",
                        "produced",
                        "produced",
                        "consumed",
                        "consumed",
                        "backlog",
                        "backlog",
                        "log_mb",
                        "log, MB")
                .figure("Live heap behind a log that fills", "E10-heap.png")
                .paragraph(
                        "For contrast, with the same producer: a queue without a bound between the two in a process of 512 MB,"
                                + " and a pipeline in front of which is dropped what it does not ask for. Of the %,d events that were"
                                + " offered to that %,d were dropped and %,d ingested (%,d on time, %,d late); the live heap changed"
                                + " by %.2f MB.",
                        shed.offered(),
                        shed.dropped(),
                        shed.counters().get(Counter.INGESTED),
                        shed.counters().get(Counter.ON_TIME),
                        shed.counters().get(Counter.DROPPED),
                        shed.growth())
                .table(
                        contrast,
                        "what",
                        "what",
                        "produced",
                        "produced",
                        "taken",
                        "taken",
                        "queued",
                        "queued",
                        "dropped",
                        "dropped",
                        "end",
                        "end")
                .figure("A queue without a bound", "E10-queue.png")
                .lines();
    }
}
