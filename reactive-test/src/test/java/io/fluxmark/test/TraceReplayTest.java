package io.fluxmark.test;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fluxmark.windows.Aggregations;
import io.fluxmark.windows.Counter;
import io.fluxmark.windows.Counters;
import io.fluxmark.windows.EventBatch;
import io.fluxmark.windows.EventBatchBuilder;
import io.fluxmark.windows.EventFlux;
import io.fluxmark.windows.LateEvent;
import io.fluxmark.windows.LiveCounters;
import io.fluxmark.windows.StreamElement;
import io.fluxmark.windows.Watermark;
import io.fluxmark.windows.WindowResult;
import io.fluxmark.windows.WindowSpec;
import io.fluxmark.windows.WindowedFlux;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;

/** The windows do exactly what a reference model did in 170 recorded runs (see resources/traces). */
class TraceReplayTest {

    private static final Duration PATIENCE = Duration.ofSeconds(10);

    private record Event(String key, long time, int amount) {

        static Event of(String step) {
            int at = step.indexOf('@');
            int x = step.indexOf('x');
            return new Event(
                    step.substring(0, at),
                    Long.parseLong(step.substring(at + 1, x)),
                    Integer.parseInt(step.substring(x + 1)));
        }

        @Override
        public String toString() {
            return key + "@" + time + "x" + amount;
        }
    }

    private static WindowSpec windows(JsonNode trace) {
        JsonNode given = trace.get("windows");
        WindowSpec windows;
        if (given.has("gap")) {
            windows = WindowSpec.session(millis(given, "gap"));
        } else if (given.get("size").equals(given.get("slide"))) {
            windows = WindowSpec.tumbling(millis(given, "size")).offset(millis(given, "offset"));
        } else {
            windows = WindowSpec.sliding(millis(given, "size"), millis(given, "slide"))
                    .offset(millis(given, "offset"));
        }
        return windows.allowedLateness(millis(trace, "lateness"));
    }

    private static Duration millis(JsonNode node, String field) {
        return Duration.ofMillis(node.get(field).asLong());
    }

    /** Events in runs of at most {@code runSize}; a watermark travels with the next event, or alone behind single ones. */
    private static List<StreamElement<Event>> elements(List<String> steps, int runSize) {
        List<StreamElement<Event>> elements = new ArrayList<>();
        EventBatchBuilder<Event> run = EventBatch.builder();
        long watermark = Watermark.NONE;
        for (String step : steps) {
            if (step.startsWith("W")) {
                watermark = Math.max(watermark, Long.parseLong(step.substring(1)));
                if (runSize == 1) {
                    elements.add(new Watermark<>(watermark));
                }
                continue;
            }
            Event event = Event.of(step);
            run.add(event, event.time(), watermark);
            if (run.size() == runSize) {
                elements.add(run.build(watermark));
            }
        }
        if (run.size() > 0) {
            elements.add(run.build(watermark));
        }
        elements.add(new Watermark<>(Watermark.END));
        return elements;
    }

    private static String text(WindowResult<String, Long> result) {
        return (result.isRetraction() ? "-" : "+") + "[" + result.window().start() + ","
                + result.window().end() + ")" + result.key() + "=" + result.value();
    }

    private static long counted(Counters counters, String model) {
        return switch (model) {
            case "ingested" -> counters.get(Counter.INGESTED);
            case "accepted" -> counters.accepted();
            case "acceptedAssign" -> counters.get(Counter.ACCEPTED_ASSIGNMENTS);
            case "lateAssign" -> counters.get(Counter.LATE_ASSIGNMENTS);
            case "dropped" -> counters.get(Counter.DROPPED);
            case "side" -> counters.get(Counter.SIDE);
            case "partial" -> counters.get(Counter.PARTIAL);
            case "unassigned" -> counters.get(Counter.UNASSIGNED);
            case "merges" -> counters.get(Counter.MERGES);
            case "retractions" -> counters.get(Counter.RETRACTIONS);
            case "fires" -> counters.get(Counter.FIRES_ON_TIME) + counters.get(Counter.FIRES_LATE);
            default -> throw new IllegalArgumentException("no such counter: " + model);
        };
    }

    private static void replay(JsonNode trace, int runSize) {
        String what = "trace " + trace.get("seed") + " in runs of " + runSize + ", " + windows(trace);
        List<LateEvent<Event>> late = new ArrayList<>();
        AtomicReference<LiveCounters> counters = new AtomicReference<>();
        WindowedFlux<String, Event> windowed = EventFlux.fromElements(
                        Flux.fromIterable(elements(Traces.words(trace, "steps"), runSize)))
                .keyBy(Event::key)
                .window(windows(trace))
                .countersTo(counters::set);
        if (trace.get("policy").asText().equals("SIDE")) {
            windowed = windowed.lateTo(late::add);
        }
        List<String> out = windowed.aggregate(Aggregations.<Event>summingLong(Event::amount))
                .toFlux()
                .map(TraceReplayTest::text)
                .collectList()
                .block(PATIENCE);
        assertThat(out).as(what).isEqualTo(Traces.words(trace, "out"));
        assertThat(late.stream().map(each -> each.value().toString()).toList())
                .as(what)
                .isEqualTo(Traces.words(trace, "side"));
        Counters counted = counters.get().snapshot();
        assertThat(counted.sumHolds()).as(what).isTrue();
        trace.get("counters").properties().forEach(each -> assertThat(counted(counted, each.getKey()))
                .as("%s: %s", what, each.getKey())
                .isEqualTo(each.getValue().asLong()));
    }

    @ParameterizedTest(name = "runs of {0}")
    @ValueSource(ints = {1, 7, 256})
    void theWindowsDoWhatTheReferenceModelDid(int runSize) {
        int replayed = 0;
        for (String file : List.of("fixed.json", "sessions.json")) {
            for (JsonNode trace : Traces.of(file)) {
                replay(trace, runSize);
                replayed++;
            }
        }
        assertThat(replayed).isEqualTo(170);
    }
}
