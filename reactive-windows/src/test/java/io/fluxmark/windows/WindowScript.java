package io.fluxmark.windows;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import reactor.core.publisher.Flux;

/**
 * Plays a script against windows and tells what they emit: numbers are events of key {@code k} at that time, {@code "W12"}
 * is a watermark, {@code "a@5"} an event of another key, {@code "a@5~3"} one with a gap of its own. Emissions
 * read {@code "+[0,10):2"}, retractions {@code "-..."}.
 */
final class WindowScript {

    /** An event: a key, a time, and a gap. */
    record Event(String key, long time, long gap) {}

    private final WindowSpec windows;
    private final AtomicReference<LiveCounters> counters = new AtomicReference<>();
    private final List<LateEvent<Event>> side = new ArrayList<>();
    private boolean sideOutput;
    private boolean ownGaps;

    private WindowScript(WindowSpec windows) {
        this.windows = windows;
    }

    static WindowScript of(WindowSpec windows) {
        return new WindowScript(windows);
    }

    /** Late events go to a side output. */
    WindowScript withSideOutput() {
        sideOutput = true;
        return this;
    }

    /** Sessions take the gap from the event. */
    WindowScript withOwnGaps() {
        ownGaps = true;
        return this;
    }

    List<String> run(Object... script) {
        return results(script).stream().map(WindowScript::text).toList();
    }

    List<WindowResult<String, Long>> results(Object... script) {
        return pipeline(Flux.fromIterable(elements(script)))
                .toFlux()
                .collectList()
                .block(Duration.ofSeconds(10));
    }

    EventFlux<WindowResult<String, Long>> pipeline(Flux<StreamElement<Event>> elements) {
        KeyedFlux<String, Event> keyed = EventFlux.fromElements(elements).keyBy(Event::key);
        WindowedFlux<String, Event> windowed =
                (ownGaps ? keyed.window(windows, Event::gap) : keyed.window(windows)).countersTo(counters::set);
        return (sideOutput ? windowed.lateTo(side::add) : windowed).aggregate(Aggregations.counting());
    }

    static List<StreamElement<Event>> elements(Object... script) {
        List<StreamElement<Event>> elements = new ArrayList<>();
        long watermark = Watermark.NONE;
        for (Object step : script) {
            String text = step.toString();
            if (text.startsWith("W")) {
                watermark = text.equals("WEND") ? Watermark.END : Long.parseLong(text.substring(1));
                elements.add(new Watermark<>(watermark));
            } else {
                Event event = event(text);
                elements.add(EventBatch.<Event>builder()
                        .add(event, event.time(), watermark)
                        .build(watermark));
            }
        }
        return elements;
    }

    private static Event event(String text) {
        int at = text.indexOf('@');
        int tilde = text.indexOf('~');
        long time = Long.parseLong(text.substring(at + 1, tilde < 0 ? text.length() : tilde));
        long gap = tilde < 0 ? 0 : Long.parseLong(text.substring(tilde + 1));
        return new Event(at < 0 ? "k" : text.substring(0, at), time, gap);
    }

    static String text(WindowResult<?, ?> result) {
        return (result.isRetraction() ? "-" : "+") + "[" + result.window().start() + ","
                + result.window().end() + "):" + result.value();
    }

    Counters counters() {
        return counters.get().snapshot();
    }

    long count(Counter counter) {
        return counters().get(counter);
    }

    List<LateEvent<Event>> side() {
        return side;
    }
}
