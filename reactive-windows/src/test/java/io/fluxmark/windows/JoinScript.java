package io.fluxmark.windows;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;

/** Two streams of texts as "key:name@time", in a script that says in which order they come and when the watermark moves. */
final class JoinScript {

    private static final Duration WAIT = Duration.ofSeconds(20);

    final List<LateEvent<String>> lateLeft = new ArrayList<>();
    final List<LateEvent<String>> lateRight = new ArrayList<>();
    final AtomicReference<LiveCounters> counters = new AtomicReference<>();

    private final ManualSource<StreamElement<String>> left = new ManualSource<>();
    private final ManualSource<StreamElement<String>> right = new ManualSource<>();
    private final List<String> out = new ArrayList<>();
    private final List<Throwable> failures = new ArrayList<>();
    private long watermark = Watermark.NONE;
    private boolean completed;
    private boolean corrects;

    static String key(String event) {
        return event.substring(0, event.indexOf(':'));
    }

    static long time(String event) {
        return Long.parseLong(event.substring(event.indexOf('@') + 1));
    }

    static String pair(@Nullable String l, @Nullable String r) {
        return l + "+" + r;
    }

    /** Subscribes to what is made of both. */
    JoinScript start(Function<JoinedFlux<String, String, String>, EventFlux<?>> join) {
        join.apply(EventFlux.fromElements(left)
                        .keyBy(JoinScript::key)
                        .join(EventFlux.fromElements(right).keyBy(JoinScript::key)))
                .elements()
                .subscribe(element -> texts(out, element, corrects), failures::add, () -> completed = true);
        return this;
    }

    /** Results may be of windows that have fired before. */
    JoinScript correcting() {
        corrects = true;
        return this;
    }

    /** Within an interval, with late outputs. */
    static JoinScript within(long before, long after, JoinKind kind) {
        JoinScript script = new JoinScript();
        return script.start(joined -> of(
                joined.within(Duration.ofMillis(before), Duration.ofMillis(after))
                        .lateTo(LateSink.calling(script.lateLeft::add), LateSink.calling(script.lateRight::add))
                        .countersTo(script.counters::set),
                kind));
    }

    static EventFlux<String> of(IntervalJoinFlux<String, String, String> join, JoinKind kind) {
        return switch (kind) {
            case INNER -> join.inner(JoinScript::pair);
            case LEFT -> join.left(JoinScript::pair);
            case RIGHT -> join.right(JoinScript::pair);
            case FULL -> join.full(JoinScript::pair);
        };
    }

    JoinScript left(String... events) {
        for (String event : events) {
            left.next(run(event));
        }
        return this;
    }

    JoinScript right(String... events) {
        for (String event : events) {
            right.next(run(event));
        }
        return this;
    }

    private EventBatch<String> run(String event) {
        return EventBatch.<String>builder().add(event, time(event), watermark).build(watermark);
    }

    /** Both streams say so. */
    JoinScript watermark(long both) {
        watermark = both;
        left.next(new Watermark<>(both));
        right.next(new Watermark<>(both));
        return this;
    }

    JoinScript leftSays(StreamElement<String> control) {
        left.next(control);
        return this;
    }

    JoinScript rightSays(StreamElement<String> control) {
        right.next(control);
        return this;
    }

    JoinScript end() {
        watermark(Watermark.END);
        left.complete();
        right.complete();
        return this;
    }

    void fail(Throwable failure) {
        right.fail(failure);
    }

    /** What has come since the last look, watermarks included. */
    List<String> seen() {
        List<String> seen = List.copyOf(out);
        out.clear();
        return seen;
    }

    /** The same without the watermarks. */
    List<String> joined() {
        return seen().stream().filter(text -> !text.startsWith("W")).toList();
    }

    List<Throwable> failures() {
        return failures;
    }

    boolean isCompleted() {
        return completed;
    }

    long cancels() {
        return left.cancels.get();
    }

    Counters counts() {
        return counters.get().snapshot();
    }

    static void texts(List<String> into, StreamElement<?> element) {
        texts(into, element, false);
    }

    /** @param corrects whether results may be of windows that have fired before */
    private static void texts(List<String> into, StreamElement<?> element, boolean corrects) {
        if (element instanceof EventBatch<?> run) {
            for (int i = 0; i < run.size(); i++) {
                if (!corrects && run.timestamp(i) <= run.watermarkBefore(i)) {
                    throw new AssertionError(run.value(i) + " at " + run.timestamp(i)
                            + " is late for who follows, at watermark " + run.watermarkBefore(i));
                }
                into.add(run.value(i) + "@" + run.timestamp(i));
            }
            if (run.watermarkAfter() > run.watermarkBefore(run.size() - 1)) {
                into.add("W" + run.watermarkAfter());
            }
        } else if (element instanceof Watermark<?> progress) {
            into.add("W" + progress.timestamp());
        } else if (element instanceof Idle<?> idle) {
            into.add(idle.idle() ? "idle" : "active");
        }
    }

    /** Runs the operator that joins over both streams in one, in a lane. */
    static List<String> run(
            List<StreamElement<JoinEvent<String, String>>> elements,
            JoinInterval interval,
            JoinKind kind,
            LaneContext lane) {
        List<String> out = new ArrayList<>();
        JoinDefinition<String, String, String, String> definition = new JoinDefinition<>(
                "join-1",
                KeyCodec.tagged(),
                interval,
                kind,
                new JoinInput<>(JoinScript::key, Codec.strings(), null),
                new JoinInput<>(JoinScript::key, Codec.strings(), null),
                JoinScript::pair,
                null);
        ProcessOperator.flux(
                        Flux.fromIterable(elements),
                        definition.name(),
                        lane,
                        totals -> new JoinLogic<>(definition, lane, totals.counters))
                .doOnNext(element -> texts(out, element))
                .blockLast(WAIT);
        return out;
    }
}
