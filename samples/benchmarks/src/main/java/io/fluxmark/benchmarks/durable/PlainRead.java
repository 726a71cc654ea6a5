package io.fluxmark.benchmarks.durable;

import io.fluxmark.benchmarks.Answer;
import io.fluxmark.benchmarks.CountSumMax;
import io.fluxmark.benchmarks.Event;
import io.fluxmark.benchmarks.Generator;
import io.fluxmark.benchmarks.Tally;
import io.fluxmark.log.EventCodec;
import io.fluxmark.log.Partition;
import io.fluxmark.log.RecordRun;
import io.fluxmark.windows.Counter;
import io.fluxmark.windows.EventBatch;
import io.fluxmark.windows.EventFlux;
import io.fluxmark.windows.LiveCounters;
import io.fluxmark.windows.StreamElement;
import io.fluxmark.windows.Watermark;
import io.fluxmark.windows.WatermarkSpec;
import io.fluxmark.windows.WindowSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Schedulers;

/** The pipeline over a filled log without a job: nothing is durable but the log. Of one partition. */
final class PlainRead {

    private PlainRead() {}

    static Answer run(FilledLog log, WindowSpec windows) {
        Partition partition = log.events().topic().partition(0);
        long end = partition.endOffset();
        Tally tally = new Tally();
        List<LiveCounters> counters = new ArrayList<>();
        Flux<StreamElement<Event>> runs = partition
                .readRuns(0, EventBatch.MAX_SIZE, Schedulers.parallel())
                .takeUntil(run -> run.offset(run.size() - 1) + 1 >= end)
                .<StreamElement<Event>>map(
                        run -> EventBatch.ofValues(decoded(run, log.events().codec())))
                .concatWithValues(new Watermark<>(Watermark.END));
        EventFlux.fromElements(runs)
                .watermarksMillis(
                        Event::timestamp,
                        WatermarkSpec.boundedOutOfOrderness(Duration.ofMillis(Generator.BOUND_MILLIS)))
                .keyByLong(Event::key)
                .window(windows)
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

    private static List<Event> decoded(RecordRun run, EventCodec<Event> codec) {
        List<Event> events = new ArrayList<>(run.size());
        for (int i = 0; i < run.size(); i++) {
            events.add(codec.decodeView(run.view(i)));
        }
        return events;
    }
}
