package io.fluxmark.benchmarks;

import io.fluxmark.windows.WindowSpec;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** What can be measured. */
public enum Workload {
    /** Windows of 10 s over 10,000 keys, beside boxed hash maps. */
    TUMBLING,
    /** Windows of 10 s every 2 s over 10,000 keys, beside tables of primitives. */
    SLIDING,
    /** Sessions with a gap of 5 s over 100,000 keys, beside rows of primitives. */
    SESSION;

    static final long SIZE_MILLIS = 10_000;
    static final long SLIDE_MILLIS = 2_000;
    static final long GAP_MILLIS = 5_000;

    /** The workload of that name, in small letters. Throws {@link IllegalArgumentException} for any other. */
    public static Workload of(String name) {
        return Arrays.stream(values())
                .filter(workload -> workload.toString().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no workload '" + name + "': use "
                        + Arrays.stream(values()).map(Workload::toString).collect(Collectors.joining(", "))));
    }

    /** Runs our pipeline over the first {@code events} events; what came out can be compared with equals. */
    public Object pipeline(long events) {
        return pipeline(windows(), events);
    }

    /** Runs our pipeline over the first {@code events} events in other windows; what came out can be compared with equals. */
    public Object pipeline(WindowSpec windows, long events) {
        return Pipeline.run(windows, generator(), Variant.PLAIN, events);
    }

    /** Runs the hand-written loop that we compare ourselves with. */
    public Object loop(long events) {
        return loops().get(0).body().apply(events);
    }

    /** The events. */
    public Generator generator() {
        return this == SESSION ? Generator.cohorts() : Generator.skewed();
    }

    /** The windows. */
    public WindowSpec windows() {
        return switch (this) {
            case TUMBLING -> WindowSpec.tumbling(Duration.ofMillis(SIZE_MILLIS));
            case SLIDING -> WindowSpec.sliding(Duration.ofMillis(SIZE_MILLIS), Duration.ofMillis(SLIDE_MILLIS));
            case SESSION -> WindowSpec.session(Duration.ofMillis(GAP_MILLIS));
        };
    }

    /** The hand-written loops; the first is the one that we compare ourselves with. */
    public List<Contender> loops() {
        Generator generator = generator();
        return switch (this) {
            case TUMBLING -> tumblingLoops(generator, SIZE_MILLIS);
            case SLIDING ->
                List.of(new Contender(
                        "loop, primitive", n -> new SlidingLoop(generator, SIZE_MILLIS, SLIDE_MILLIS).run(n)));
            case SESSION ->
                List.of(new Contender("loop, primitive", n -> new SessionLoop(generator, GAP_MILLIS).run(n)));
        };
    }

    static List<Contender> tumblingLoops(Generator generator, long size) {
        return List.of(
                new Contender("loop, HashMap, boxed", n -> new BoxedTumblingLoop(generator, size).run(n)),
                new Contender("loop, primitive", n -> new TumblingLoop(generator, size).run(n)));
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
