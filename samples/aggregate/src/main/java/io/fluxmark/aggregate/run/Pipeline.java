package io.fluxmark.aggregate.run;

import io.fluxmark.aggregate.value.TermsAggregation;
import io.fluxmark.aggregate.value.Value;
import io.fluxmark.windows.Counters;
import io.fluxmark.windows.DedupeFlux;
import io.fluxmark.windows.EventBatch;
import io.fluxmark.windows.EventFlux;
import io.fluxmark.windows.Explanation;
import io.fluxmark.windows.LaneCheckpoint;
import io.fluxmark.windows.LateEvent;
import io.fluxmark.windows.StreamElement;
import io.fluxmark.windows.Watermark;
import io.fluxmark.windows.WindowResult;
import io.fluxmark.windows.WindowedFlux;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/** One lane: event time, windows and what they are told, between a source that is pushed and a receiver. */
final class Pipeline {

    private final PushSource source = new PushSource();
    private final RunLane lane;
    private final LaneOutput output;
    private final RunListener listener;
    private volatile long watermark = Watermark.NONE;

    /** Assembles and subscribes lane {@code number}. */
    Pipeline(PipelineSettings settings, int number, Scheduler clock, RunListener listener, LaneOutput output) {
        this.lane = new RunLane(clock, number);
        this.output = output;
        this.listener = listener;
        Flux<StreamElement<Event>> timed = timed(settings, EventFlux.fromElements(source), listener)
                .elements(() -> lane)
                .doOnNext(this::timed);
        windowed(settings, EventFlux.fromElements(timed), listener::late)
                .elements(() -> lane)
                .subscribe(output);
    }

    private static EventFlux<Event> timed(PipelineSettings settings, EventFlux<Event> events, RunListener listener) {
        return settings.global()
                ? events.watermarksByPartition(
                        settings.partitions(),
                        Event::partition,
                        Event::timestamp,
                        settings.watermarks(),
                        listener::invalid)
                : events.watermarks(Event::timestamp, settings.watermarks(), listener::invalid);
    }

    /** The windows over events that have their time. */
    static EventFlux<WindowResult<Object, Value>> windowed(
            PipelineSettings settings, EventFlux<Event> timed, Consumer<LateEvent<Event>> late) {
        WindowedFlux<Object, Event> windowed =
                deduped(settings, timed, late).keyBy(Event::key).window(settings.windows());
        if (settings.side()) {
            windowed = windowed.lateTo(late);
        }
        return windowed.aggregate(new TermsAggregation<Event>(settings.terms(), Event::numbers));
    }

    private static EventFlux<Event> deduped(
            PipelineSettings settings, EventFlux<Event> timed, Consumer<LateEvent<Event>> late) {
        if (settings.timeToLive() == 0) {
            return timed;
        }
        DedupeFlux<Object, Event> ids =
                timed.keyBy(Event::requireId).deduping(Duration.ofMillis(settings.timeToLive()));
        return (settings.side() ? ids.lateTo(late) : ids).byKey().unkeyed();
    }

    private void timed(StreamElement<Event> element) {
        if (element instanceof EventBatch<Event> run) {
            watermark = run.watermarkAfter();
        } else if (element instanceof Watermark<Event> progress && progress.timestamp() != Watermark.END) {
            watermark = progress.timestamp();
        }
        listener.timed(element);
    }

    PushSource source() {
        return source;
    }

    LaneOutput output() {
        return output;
    }

    /** Why the windows stand where they do. */
    Mono<Explanation> explain() {
        return lane.explain();
    }

    /** The watermark that follows from events and silence, the end of the input aside. */
    long watermark() {
        return watermark;
    }

    /** What the lane has counted, with what did not come to the windows. */
    Counters counters() {
        Map<String, Counters> counted = new HashMap<>();
        lane.counters().forEach((operator, live) -> counted.put(operator, live.snapshot()));
        return LaneCheckpoint.countsOf(counted);
    }
}
