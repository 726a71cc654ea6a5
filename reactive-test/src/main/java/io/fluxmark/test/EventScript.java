package io.fluxmark.test;

import io.fluxmark.windows.EventBatch;
import io.fluxmark.windows.EventBatchBuilder;
import io.fluxmark.windows.EventFlux;
import io.fluxmark.windows.StreamElement;
import io.fluxmark.windows.TimestampFunction;
import io.fluxmark.windows.Watermark;
import io.fluxmark.windows.WindowResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;

/**
 * Events with the watermarks that a test says, instead of those that a generator would find: what happens to a late event,
 * step by step.
 *
 * <pre>{@code
 * List<String> out = EventScript.of(Order::millis)
 *     .events(order("anna", 1), order("anna", 5)).watermark(12)
 *     .events(order("anna", 7)).watermark(18)
 *     .events(order("anna", 2))
 *     .pipeline(7)
 *     .keyBy(Order::customer).window(tumbling(ofMillis(10)).allowedLateness(ofMillis(10))).aggregate(counting())
 *     .toFlux().map(EventScript::text).collectList().block();
 * assertThat(out).containsExactly("+anna [0,10): 2", "-anna [0,10): 2", "+anna [0,10): 3", ...);
 * }</pre>
 *
 * <p>Immutable.
 *
 * @param <T> the events
 */
public final class EventScript<T> {

    /** An event, or where there is none a watermark. */
    private record Step<T>(@Nullable T event, long watermark) {}

    private final TimestampFunction<? super T> time;
    private final List<Step<T>> steps;

    private EventScript(TimestampFunction<? super T> time, List<Step<T>> steps) {
        this.time = time;
        this.steps = steps;
    }

    /** A script without events. */
    public static <T> EventScript<T> of(TimestampFunction<? super T> time) {
        return new EventScript<>(Objects.requireNonNull(time, "time"), List.of());
    }

    /** Then these events, in this order. */
    @SafeVarargs
    public final EventScript<T> events(T... events) {
        List<Step<T>> more = new ArrayList<>(steps);
        for (T event : events) {
            more.add(new Step<>(Objects.requireNonNull(event, "event"), Watermark.NONE));
        }
        return new EventScript<>(time, List.copyOf(more));
    }

    /**
     * Then the watermark rises: no event at or before it is expected any more.
     *
     * @param epochMillis at least the watermark before
     */
    public EventScript<T> watermark(long epochMillis) {
        long before = steps.stream().mapToLong(Step::watermark).max().orElse(Watermark.NONE);
        if (epochMillis < before) {
            throw new IllegalArgumentException(
                    "a watermark does not step back, from " + before + " to " + epochMillis + ": leave it out");
        }
        List<Step<T>> more = new ArrayList<>(steps);
        more.add(new Step<>(null, epochMillis));
        return new EventScript<>(time, List.copyOf(more));
    }

    /** The script as a pipeline in event time, to go on from: {@code keyBy} comes next. The end fires every window. */
    public EventFlux<T> pipeline(int runSize) {
        return EventFlux.fromElements(elements(runSize));
    }

    /**
     * The script as elements, closed by the end of the stream.
     *
     * @param runSize how many events travel together, 1 to {@value EventBatch#MAX_SIZE}; watermarks between them travel
     *     along
     */
    public Flux<StreamElement<T>> elements(int runSize) {
        if (runSize < 1 || runSize > EventBatch.MAX_SIZE) {
            throw new IllegalArgumentException(
                    "a run has 1 to " + EventBatch.MAX_SIZE + " events but was told " + runSize);
        }
        List<StreamElement<T>> elements = new ArrayList<>();
        EventBatchBuilder<T> run = EventBatch.builder();
        long watermark = Watermark.NONE;
        for (Step<T> step : steps) {
            T event = step.event();
            if (event != null) {
                if (run.size() == runSize) {
                    elements.add(run.build(watermark));
                }
                run.add(event, time.epochMillis(event), watermark);
            } else {
                watermark = step.watermark();
                if (run.size() == 0) {
                    elements.add(new Watermark<>(watermark));
                }
            }
        }
        if (run.size() > 0) {
            elements.add(run.build(watermark));
        }
        elements.add(new Watermark<>(Watermark.END));
        return Flux.fromIterable(elements);
    }

    /** A result as documents write it: {@code +key [start,end): value}, and {@code -} for what is taken back. */
    public static String text(WindowResult<?, ?> result) {
        return (result.isRetraction() ? "-" : "+") + result.key() + " ["
                + result.window().start() + "," + result.window().end() + "): " + result.value();
    }
}
