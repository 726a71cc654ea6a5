package io.fluxmark.benchmarks;

import io.fluxmark.windows.Counter;
import io.fluxmark.windows.EventFlux;
import io.fluxmark.windows.LiveCounters;
import io.fluxmark.windows.WatermarkSpec;
import io.fluxmark.windows.WindowSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import reactor.core.publisher.Flux;

/** What is measured: the pipeline as a user writes it. */
final class TumblingPipeline {

    private TumblingPipeline() {}

    static Answer run(long events) {
        Tally tally = new Tally();
        List<LiveCounters> counters = new ArrayList<>();
        EventFlux.from(Flux.fromIterable(Generator.events(events)))
                .watermarksMillis(
                        Event::timestamp,
                        WatermarkSpec.boundedOutOfOrderness(Duration.ofMillis(Generator.BOUND_MILLIS)))
                .keyBy(Event::key)
                .window(WindowSpec.tumbling(Duration.ofMillis(ReferenceLoop.SIZE_MILLIS)))
                .countersTo(counters::add)
                .aggregate(new CountSumMax())
                .toFlux()
                .doOnNext(result -> {
                    CountSumMax.Summary value = result.value();
                    tally.add(result.key(), result.window().start(), value.count(), value.sum(), value.max());
                })
                .blockLast();
        return tally.answer(counters.get(0).snapshot().get(Counter.DROPPED));
    }
}
