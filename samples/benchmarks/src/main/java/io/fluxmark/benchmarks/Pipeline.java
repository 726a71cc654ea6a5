package io.fluxmark.benchmarks;

import io.fluxmark.windows.Counter;
import io.fluxmark.windows.EventFlux;
import io.fluxmark.windows.LiveCounters;
import io.fluxmark.windows.WatermarkSpec;
import io.fluxmark.windows.WindowResult;
import io.fluxmark.windows.WindowSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Schedulers;

/** What is measured: the pipeline as a user writes it. */
final class Pipeline {

    private Pipeline() {}

    static Answer run(WindowSpec windows, Generator generator, Variant variant, long events) {
        Tally tally = new Tally();
        List<LiveCounters> counters = new ArrayList<>();
        EventFlux<Event> timed = EventFlux.from(Flux.fromIterable(generator.events(events)), variant.runSize())
                .watermarksMillis(
                        Event::timestamp,
                        WatermarkSpec.boundedOutOfOrderness(Duration.ofMillis(Generator.BOUND_MILLIS)));
        if (variant.handOver()) {
            timed = EventFlux.fromElements(timed.elements().publishOn(Schedulers.parallel()));
        }
        Flux<WindowResult<Long, CountSumMax.Summary>> results = timed.keyByLong(Event::key)
                .window(windows)
                .countersTo(counters::add)
                .aggregate(new CountSumMax())
                .toFlux()
                .doOnNext(result -> {
                    CountSumMax.Summary value = result.value();
                    tally.add(result.key(), result.window().start(), value.count(), value.sum(), value.max());
                });
        if (variant.demand() == Long.MAX_VALUE) {
            results.blockLast();
        } else {
            StepwiseSubscriber.drain(results, variant.demand());
        }
        return tally.answer(counters.get(0).snapshot().get(Counter.DROPPED));
    }
}
