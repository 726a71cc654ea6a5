package io.fluxmark.aggregate.run;

import io.fluxmark.aggregate.value.Term;
import io.fluxmark.windows.EventFlux;
import io.fluxmark.windows.WatermarkSpec;
import io.fluxmark.windows.WindowSpec;
import java.time.Duration;
import java.util.List;
import reactor.core.publisher.Flux;

/**
 * What runs, and how it is driven.
 *
 * @param windows the windows
 * @param watermarks event time
 * @param terms what is computed
 * @param side whether what is too late goes to a side output
 * @param partitions how many partitions the input has
 * @param global whether they share one watermark, the minimum, and their keys
 * @param request how many elements the receiver asks for at a time
 * @param runSize how many events travel together at most
 * @param timeToLive for how long ids are remembered of which no second event is to count, ms; 0 where all count
 */
public record PipelineSettings(
        WindowSpec windows,
        WatermarkSpec watermarks,
        List<Term> terms,
        boolean side,
        int partitions,
        boolean global,
        long request,
        int runSize,
        long timeToLive) {

    /** Where all events count. */
    public PipelineSettings(
            WindowSpec windows,
            WatermarkSpec watermarks,
            List<Term> terms,
            boolean side,
            int partitions,
            boolean global,
            long request,
            int runSize) {
        this(windows, watermarks, terms, side, partitions, global, request, runSize, 0);
    }

    /** The same counting only the first event of each id in {@code ids} of event time. */
    public PipelineSettings deduping(Duration ids) {
        return new PipelineSettings(
                windows, watermarks, terms, side, partitions, global, request, runSize, ids.toMillis());
    }

    /** How many pipelines run beside each other. */
    int lanes() {
        return global ? 1 : partitions;
    }

    /** Puts the pipeline together without running it, which throws where its parts do not go together. */
    public void assemble() {
        Pipeline.windowed(this, EventFlux.fromElements(Flux.never()), late -> {});
    }
}
