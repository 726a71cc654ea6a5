package io.fluxmark.windows;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.BinaryOperator;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import reactor.core.Scannable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.test.subscriber.TestSubscriber;

/** The operators under contract. */
class OperatorContractsTest {

    private static final WindowSpec TEN = WindowSpec.tumbling(Duration.ofMillis(10));

    /** One event in each window, which the watermark behind it closes. */
    private static StreamElement<String> timed(int i) {
        long before = i == 0 ? Watermark.NONE : 10L * i - 1;
        return EventBatch.<String>builder().add("v" + i, 10L * i, before).build(10L * i + 9);
    }

    private static Stream<?> values(StreamElement<?> element) {
        return element instanceof EventBatch<?> run
                ? IntStream.range(0, run.size()).mapToObj(run::value)
                : Stream.of(element);
    }

    private static <X, Y> Function<X, Y> throwing(String name) {
        return x -> {
            throw new IllegalStateException(name);
        };
    }

    private static void fail(String name) {
        throw new IllegalStateException(name);
    }

    @Nested
    class Runs extends OperatorContractTest<String, StreamElement<String>> {

        @Override
        Flux<StreamElement<String>> apply(Flux<String> source) {
            return source.transform(EventTime.runs(3));
        }

        @Override
        String input(int i) {
            return "v" + i;
        }

        @Override
        Stream<?> contents(String input) {
            return Stream.of(input);
        }

        @Override
        Map<String, Function<Flux<String>, Flux<StreamElement<String>>>> failing() {
            return Map.of();
        }

        @Override
        String name() {
            return "runs";
        }
    }

    @Nested
    class Timestamps extends OperatorContractTest<StreamElement<String>, StreamElement<String>> {

        private final WatermarkSpec spec = WatermarkSpec.boundedOutOfOrderness(Duration.ZERO);

        @Override
        Flux<StreamElement<String>> apply(Flux<StreamElement<String>> source) {
            return source.transform(EventTime.assign(value -> Long.parseLong(value.substring(1)), spec));
        }

        @Override
        StreamElement<String> input(int i) {
            return EventBatch.ofValues("v" + i);
        }

        @Override
        Stream<?> contents(StreamElement<String> input) {
            return values(input);
        }

        @Override
        Map<String, Function<Flux<StreamElement<String>>, Flux<StreamElement<String>>>> failing() {
            return Map.of(
                    "the invalid output",
                    source -> source.transform(EventTime.assign(
                            value -> Long.MAX_VALUE,
                            spec,
                            invalid -> {
                                throw new IllegalStateException("the invalid output");
                            },
                            LaneContext.local())));
        }

        @Override
        String name() {
            return "event-time";
        }
    }

    @Nested
    class WindowsOfKeys extends OperatorContractTest<StreamElement<String>, StreamElement<WindowResult<String, Long>>> {

        WindowSpec windows() {
            return TEN;
        }

        Function<Flux<StreamElement<String>>, Flux<StreamElement<WindowResult<String, Long>>>> aggregate(
                Function<String, String> key, Aggregation<String, long[], Long> aggregation) {
            return io.fluxmark.windows.Windows.aggregate(key, windows(), aggregation);
        }

        @Override
        Flux<StreamElement<WindowResult<String, Long>>> apply(Flux<StreamElement<String>> source) {
            return source.transform(aggregate(value -> "k", Aggregations.counting()));
        }

        @Override
        StreamElement<String> input(int i) {
            return timed(i);
        }

        @Override
        Stream<?> contents(StreamElement<String> input) {
            return values(input);
        }

        @Override
        Map<String, Function<Flux<StreamElement<String>>, Flux<StreamElement<WindowResult<String, Long>>>>> failing() {
            return Map.of(
                    "key", aggregate(throwing("key"), Aggregations.counting()),
                    "the key function returned null", aggregate(value -> null, Aggregations.counting()),
                    "create", aggregate(value -> "k", failingAggregation("create")),
                    "add", aggregate(value -> "k", failingAggregation("add")),
                    "result", aggregate(value -> "k", failingAggregation("result")));
        }

        private Aggregation<String, long[], Long> failingAggregation(String method) {
            Aggregation<String, long[], Long> counting = Aggregations.counting();
            return new Aggregation<>() {
                private void check(String name) {
                    if (name.equals(method)) {
                        throw new IllegalStateException(name);
                    }
                }

                @Override
                public long[] create() {
                    check("create");
                    return counting.create();
                }

                @Override
                public long[] add(long[] accumulator, String event) {
                    check("add");
                    return counting.add(accumulator, event);
                }

                @Override
                public long[] merge(long[] first, long[] second) {
                    return counting.merge(first, second);
                }

                @Override
                public Long result(long[] accumulator) {
                    check("result");
                    return counting.result(accumulator);
                }
            };
        }

        @Override
        String name() {
            return "window";
        }
    }

    /** Windows that share panes. */
    /** Keys divided among two lanes that work where they are called. */
    @Nested
    class WindowsOfLanes extends WindowsOfKeys {

        @Override
        Flux<StreamElement<WindowResult<String, Long>>> apply(Flux<StreamElement<String>> source) {
            return divided(source, value -> "k", Aggregations.counting());
        }

        private Flux<StreamElement<WindowResult<String, Long>>> divided(
                Flux<StreamElement<String>> source,
                Function<String, String> key,
                Aggregation<String, long[], Long> aggregation) {
            WindowDefinition<String, String, long[], Long> definition =
                    new WindowDefinition<>("window", key, KeyCodec.tagged(), windows(), aggregation, null, null);
            return SplitStage.of(definition, new Parallelism(2, Schedulers.immediate()))
                    .behind(source, LaneContext.local());
        }

        @Override
        Function<Flux<StreamElement<String>>, Flux<StreamElement<WindowResult<String, Long>>>> aggregate(
                Function<String, String> key, Aggregation<String, long[], Long> aggregation) {
            return source -> divided(source, key, aggregation);
        }

        /** What takes the inputs is not what hands out the outputs. */
        @Override
        @Test
        void itCanBeScanned() {
            ManualSource<StreamElement<String>> source = new ManualSource<>();
            TestSubscriber<StreamElement<WindowResult<String, Long>>> subscriber = TestSubscriber.create();
            apply(source).subscribe(subscriber);
            Scannable split = operator(source);
            Scannable gather = Scannable.from(split.scan(Scannable.Attr.ACTUAL));
            assertThat(gather.scan(Scannable.Attr.ACTUAL)).isSameAs(subscriber);
            assertThat(gather.scan(Scannable.Attr.PARENT)).isSameAs(split);
            assertThat(split.scan(Scannable.Attr.PARENT)).isSameAs(source);
            assertThat(split.scan(Scannable.Attr.PREFETCH)).isEqualTo(source.requested.intValue());
            List<? extends Scannable> groups = gather.inners().toList();
            assertThat(groups).hasSize(KeyGroups.COUNT).allSatisfy(group -> {
                assertThat(group.scan(Scannable.Attr.ACTUAL)).isSameAs(gather);
                assertThat(group.parents().anyMatch(parent -> parent == split)).isTrue();
            });
            assertThat(split.scan(Scannable.Attr.TERMINATED)).isFalse();
            source.complete();
            assertThat(split.scan(Scannable.Attr.TERMINATED)).isTrue();
            assertThat(gather.scan(Scannable.Attr.TERMINATED)).isTrue();
            assertThat(gather.scan(Scannable.Attr.CANCELLED)).isFalse();
        }
    }

    @Nested
    class SlidingWindowsOfKeys extends WindowsOfKeys {

        @Override
        WindowSpec windows() {
            return WindowSpec.sliding(Duration.ofMillis(20), Duration.ofMillis(10));
        }
    }

    /** Windows that each have a state of their own, with an early result of every event. */
    @Nested
    class EarlyWindowsOfKeys extends WindowsOfKeys {

        @Override
        WindowSpec windows() {
            return WindowSpec.sliding(Duration.ofMillis(20), Duration.ofMillis(10))
                    .early(Early.everyCount(1));
        }
    }

    @Nested
    class SessionsOfKeys extends WindowsOfKeys {

        @Override
        WindowSpec windows() {
            return WindowSpec.session(Duration.ofMillis(5));
        }
    }

    @Nested
    class CountWindowsOfKeys extends WindowsOfKeys {

        @Override
        WindowSpec windows() {
            return WindowSpec.count(1);
        }
    }

    /** Without early results there would be none before the end of the stream. */
    @Nested
    class GlobalWindowsOfKeys extends WindowsOfKeys {

        @Override
        WindowSpec windows() {
            return WindowSpec.global().early(Early.everyCount(1));
        }
    }

    /** A function that emits with each event. */
    @Nested
    class Processes extends OperatorContractTest<StreamElement<String>, StreamElement<String>> {

        private Function<Flux<StreamElement<String>>, Flux<StreamElement<String>>> process(
                Function<String, String> key,
                Consumer<ProcessContext<String, String>> events,
                Consumer<ProcessContext<String, String>> timers) {
            ProcessTest.Function function =
                    new ProcessTest.Function(List.of(), (event, context) -> events.accept(context), timers);
            ProcessDefinition<String, String, String> definition =
                    new ProcessDefinition<>("process", key, KeyCodec.tagged(), function, null, null);
            return source -> ProcessOperator.flux(source, definition, LaneContext.local());
        }

        Function<Flux<StreamElement<String>>, Flux<StreamElement<String>>> operator() {
            return process(value -> "k", context -> context.emit("e" + context.timestamp()), context -> {});
        }

        Function<Flux<StreamElement<String>>, Flux<StreamElement<String>>> timers(
                Consumer<ProcessContext<String, String>> timers) {
            return process(value -> "k", context -> context.setTimer(context.timestamp() + 3), timers);
        }

        @Override
        Flux<StreamElement<String>> apply(Flux<StreamElement<String>> source) {
            return source.transform(operator());
        }

        @Override
        StreamElement<String> input(int i) {
            return timed(i);
        }

        @Override
        Stream<?> contents(StreamElement<String> input) {
            return values(input);
        }

        @Override
        Map<String, Function<Flux<StreamElement<String>>, Flux<StreamElement<String>>>> failing() {
            return Map.of(
                    "key", process(throwing("key"), context -> {}, context -> {}),
                    "the key function returned null", process(value -> null, context -> {}, context -> {}),
                    "event", process(value -> "k", context -> fail("event"), context -> {}),
                    "emitted value", process(value -> "k", context -> context.emit(null), context -> {}),
                    "timer", timers(context -> fail("timer")));
        }

        @Override
        String name() {
            return "process";
        }
    }

    /** A function that emits with timers, which the watermark behind each event makes due. */
    @Nested
    class ProcessesWithTimers extends Processes {

        @Override
        Function<Flux<StreamElement<String>>, Flux<StreamElement<String>>> operator() {
            return timers(context -> context.emit("t" + context.timestamp()));
        }
    }

    /** A join in which every event is alone, and is emitted at the watermark behind it. */
    @Nested
    class Joins extends OperatorContractTest<StreamElement<JoinEvent<String, String>>, StreamElement<String>> {

        private Function<Flux<StreamElement<JoinEvent<String, String>>>, Flux<StreamElement<String>>> join(
                Function<String, String> key, BinaryOperator<String> joiner) {
            JoinInput<String, String> side = new JoinInput<>(key, null, null);
            JoinDefinition<String, String, String, String> definition = new JoinDefinition<>(
                    "join", KeyCodec.tagged(), new JoinInterval(0, 0), JoinKind.FULL, side, side, joiner, null);
            return source -> {
                LaneContext lane = LaneContext.local();
                return ProcessOperator.flux(
                        source, "join", lane, totals -> new JoinLogic<>(definition, lane, totals.counters));
            };
        }

        @Override
        Flux<StreamElement<String>> apply(Flux<StreamElement<JoinEvent<String, String>>> source) {
            return source.transform(join(value -> "k", JoinScript::pair));
        }

        @Override
        StreamElement<JoinEvent<String, String>> input(int i) {
            JoinEvent<String, String> event = i % 2 == 0 ? JoinEvent.ofLeft("v" + i) : JoinEvent.ofRight("v" + i);
            long before = i == 0 ? Watermark.NONE : 10L * i - 1;
            return EventBatch.<JoinEvent<String, String>>builder()
                    .add(event, 10L * i, before)
                    .build(10L * i + 9);
        }

        @Override
        Stream<?> contents(StreamElement<JoinEvent<String, String>> input) {
            return values(input);
        }

        @Override
        Map<String, Function<Flux<StreamElement<JoinEvent<String, String>>>, Flux<StreamElement<String>>>> failing() {
            return Map.of(
                    "key", join(throwing("key"), JoinScript::pair),
                    "the key function returned null", join(value -> null, JoinScript::pair),
                    "joiner",
                            join(value -> "k", (l, r) -> {
                                throw new IllegalStateException("joiner");
                            }),
                    "the joiner returned null", join(value -> "k", (l, r) -> null));
        }

        @Override
        String name() {
            return "join";
        }
    }

    @Nested
    class Dedupes extends OperatorContractTest<StreamElement<String>, StreamElement<String>> {

        @Override
        Flux<StreamElement<String>> apply(Flux<StreamElement<String>> source) {
            return deduped(source, value -> value);
        }

        private Flux<StreamElement<String>> deduped(Flux<StreamElement<String>> source, Function<String, String> id) {
            return DedupeOperator.flux(
                    source,
                    new DedupeDefinition<>("dedupe", id, (key, value) -> key, KeyCodec.tagged(), 1_000, null, null),
                    LaneContext.local());
        }

        @Override
        StreamElement<String> input(int i) {
            return timed(i);
        }

        @Override
        Stream<?> contents(StreamElement<String> input) {
            return values(input);
        }

        @Override
        Map<String, Function<Flux<StreamElement<String>>, Flux<StreamElement<String>>>> failing() {
            return Map.of(
                    "id", source -> deduped(source, throwing("id")),
                    "the key function returned null", source -> deduped(source, value -> null));
        }

        @Override
        String name() {
            return "dedupe";
        }
    }

    @Nested
    class Maps extends OperatorContractTest<StreamElement<String>, StreamElement<String>> {

        @Override
        Flux<StreamElement<String>> apply(Flux<StreamElement<String>> source) {
            return mapped(source, value -> value + "'");
        }

        private Flux<StreamElement<String>> mapped(
                Flux<StreamElement<String>> source, Function<String, String> mapper) {
            return OperatorFlux.of(source, "map", actual -> new MapOperator<>(actual, mapper));
        }

        @Override
        StreamElement<String> input(int i) {
            return timed(i);
        }

        @Override
        Stream<?> contents(StreamElement<String> input) {
            return values(input);
        }

        @Override
        Map<String, Function<Flux<StreamElement<String>>, Flux<StreamElement<String>>>> failing() {
            return Map.of(
                    "mapper", source -> mapped(source, throwing("mapper")),
                    "the mapper returned null", source -> mapped(source, value -> null));
        }

        @Override
        String name() {
            return "map";
        }
    }

    @Nested
    class Filters extends OperatorContractTest<StreamElement<String>, StreamElement<String>> {

        @Override
        Flux<StreamElement<String>> apply(Flux<StreamElement<String>> source) {
            return OperatorFlux.of(
                    source, "filter", actual -> new FilterOperator<>(actual, value -> !value.endsWith("3")));
        }

        @Override
        StreamElement<String> input(int i) {
            return timed(i);
        }

        @Override
        Stream<?> contents(StreamElement<String> input) {
            return values(input);
        }

        @Override
        Map<String, Function<Flux<StreamElement<String>>, Flux<StreamElement<String>>>> failing() {
            return Map.of(
                    "predicate",
                    source -> OperatorFlux.of(
                            source,
                            "filter",
                            actual -> new FilterOperator<>(actual, value -> {
                                throw new IllegalStateException("predicate");
                            })));
        }

        @Override
        String name() {
            return "filter";
        }
    }

    /** What operators over elements have in common here. */
    abstract static class OverElements extends OperatorContractTest<StreamElement<String>, StreamElement<String>> {

        private final String name;

        OverElements(String name) {
            this.name = name;
        }

        @Override
        StreamElement<String> input(int i) {
            return timed(i);
        }

        @Override
        Stream<?> contents(StreamElement<String> input) {
            return values(input);
        }

        @Override
        String name() {
            return name;
        }
    }

    @Nested
    class Peeks extends OverElements {

        Peeks() {
            super("peek");
        }

        @Override
        Flux<StreamElement<String>> apply(Flux<StreamElement<String>> source) {
            return source.transform(Elements.peek(value -> {}));
        }

        @Override
        Map<String, Function<Flux<StreamElement<String>>, Flux<StreamElement<String>>>> failing() {
            return Map.of("consumer", Elements.peek(value -> fail("consumer")));
        }
    }

    @Nested
    class MapsToMany extends OverElements {

        MapsToMany() {
            super("map-many");
        }

        int results(String value) {
            return 2;
        }

        @Override
        Flux<StreamElement<String>> apply(Flux<StreamElement<String>> source) {
            return source.transform(Elements.mapMany(value -> () -> IntStream.range(0, results(value))
                    .mapToObj(i -> value + "-" + i)
                    .iterator()));
        }

        @Override
        Map<String, Function<Flux<StreamElement<String>>, Flux<StreamElement<String>>>> failing() {
            return Map.of(
                    "function", Elements.mapMany(throwing("function")),
                    "the function of mapMany returned null", Elements.mapMany(value -> null),
                    "a result of mapMany is null", Elements.mapMany(value -> java.util.Collections.singletonList(null)),
                    "iterator",
                            Elements.mapMany(value ->
                                    () -> OperatorContractsTest.<String, java.util.Iterator<String>>throwing("iterator")
                                            .apply(value)));
        }
    }

    /** Of the first ones more than one run becomes. */
    @Nested
    class MapsToVeryMany extends MapsToMany {

        @Override
        int results(String value) {
            return value.length() == "v0".length() ? 300 : 1;
        }
    }

    @Nested
    class MapsAsync extends OverElements {

        MapsAsync() {
            super("map-async");
        }

        @Override
        reactor.core.Scannable.Attr.RunStyle runStyle() {
            return reactor.core.Scannable.Attr.RunStyle.ASYNC;
        }

        @Override
        Flux<StreamElement<String>> apply(Flux<StreamElement<String>> source) {
            return source.transform(Elements.mapAsync(4, value -> Mono.just(value + "'")));
        }

        @Override
        Map<String, Function<Flux<StreamElement<String>>, Flux<StreamElement<String>>>> failing() {
            return Map.of(
                    "function", Elements.mapAsync(4, throwing("function")),
                    "the function of mapAsync returned null", Elements.mapAsync(4, value -> null),
                    "answer", Elements.mapAsync(4, value -> Mono.error(new IllegalStateException("answer"))),
                    "published more than one result", Elements.mapAsync(4, value -> Flux.just(value, value)));
        }
    }

    @Nested
    class Diverts extends OperatorContractTest<StreamElement<String>, StreamElement<String>> {

        private static Flux<StreamElement<String>> diverted(
                Flux<StreamElement<String>> source, SideSink.Output<String> output) {
            return OperatorFlux.of(
                    source, "divert", actual -> new DivertOperator<>(actual, value -> value.endsWith("3"), output));
        }

        @Override
        Flux<StreamElement<String>> apply(Flux<StreamElement<String>> source) {
            return diverted(source, (value, timestamp, sign) -> {});
        }

        @Override
        StreamElement<String> input(int i) {
            return timed(i);
        }

        @Override
        Stream<?> contents(StreamElement<String> input) {
            return values(input);
        }

        @Override
        Map<String, Function<Flux<StreamElement<String>>, Flux<StreamElement<String>>>> failing() {
            return Map.of(
                    "output",
                    source -> OperatorFlux.of(
                            source,
                            "divert",
                            actual -> new DivertOperator<String>(actual, value -> true, (value, timestamp, sign) -> {
                                throw new IllegalStateException("output");
                            })));
        }

        @Override
        String name() {
            return "divert";
        }
    }

    @Nested
    class Values extends OperatorContractTest<StreamElement<String>, String> {

        @Override
        Flux<String> apply(Flux<StreamElement<String>> source) {
            return source.transform(EventTime.values());
        }

        @Override
        StreamElement<String> input(int i) {
            return timed(i);
        }

        @Override
        Stream<?> contents(StreamElement<String> input) {
            return values(input);
        }

        @Override
        Map<String, Function<Flux<StreamElement<String>>, Flux<String>>> failing() {
            return Map.of();
        }

        @Override
        String name() {
            return "values";
        }
    }
}
