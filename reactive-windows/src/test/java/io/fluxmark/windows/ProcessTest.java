package io.fluxmark.windows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;

/** What a user's function is called with, when, and what becomes of what it emits. */
class ProcessTest {

    private static final Duration WAIT = Duration.ofSeconds(20);

    private static final StateDescriptor<ValueState<Long>> COUNT = StateDescriptor.value("count", Codec.longs());

    /** A function of two lambdas, over texts keyed by their first letter. */
    record Function(
            List<StateDescriptor<?>> states,
            BiConsumer<String, ProcessContext<String, String>> events,
            Consumer<ProcessContext<String, String>> timers)
            implements KeyedProcess<String, String, String> {

        static Function of(BiConsumer<String, ProcessContext<String, String>> events) {
            return new Function(List.of(COUNT), events, context -> {});
        }

        Function onTimer(Consumer<ProcessContext<String, String>> called) {
            return new Function(states, events, called);
        }

        @Override
        public void onEvent(String event, ProcessContext<String, String> context) {
            events.accept(event, context);
        }

        @Override
        public void onTimer(ProcessContext<String, String> context) {
            timers.accept(context);
        }
    }

    private final TestLane lane = new TestLane();

    private List<String> run(KeyedProcess<String, String, String> function, List<StreamElement<String>> elements) {
        List<String> out = new ArrayList<>();
        long[] after = {Watermark.NONE};
        EventFlux.fromElements(Flux.fromIterable(elements))
                .keyBy(value -> value.substring(0, 1))
                .process(function)
                .elements(() -> lane)
                .doOnNext(element -> {
                    if (element instanceof EventBatch<String> run) {
                        for (int i = 0; i < run.size(); i++) {
                            assertThat(run.watermarkBefore(i)).isGreaterThanOrEqualTo(after[0]);
                            after[0] = run.watermarkBefore(i);
                            boolean late = run.timestamp(i) <= run.watermarkBefore(i);
                            out.add((run.sign(i) < 0 ? "-" : "") + run.value(i) + "@" + run.timestamp(i)
                                    + (late ? " late" : ""));
                        }
                        if (run.watermarkAfter() > after[0]) {
                            after[0] = run.watermarkAfter();
                            out.add("W" + after[0]);
                        }
                    } else if (element instanceof Watermark<String> watermark) {
                        after[0] = watermark.timestamp();
                        out.add("W" + watermark.timestamp());
                    }
                })
                .blockLast(WAIT);
        return out;
    }

    private static StreamElement<String> event(String value, long time, long watermark) {
        return EventBatch.<String>builder().add(value, time, watermark).build(watermark);
    }

    @Test
    void itIsCalledInOrderWithKeyTimeAndWatermark() {
        Function function = Function.of((event, context) -> {
            ValueState<Long> count = context.state(COUNT);
            Long before = count.get();
            count.set(before == null ? 1 : before + 1);
            context.emit(event + " " + context.key() + " " + count.get() + " " + context.watermark());
        });
        assertThat(run(function, List.of(event("a1", 5, 1), event("b1", 7, 2), event("a2", 6, 2))))
                .containsExactly("a1 a 1 1@5", "b1 b 1 2@7", "a2 a 2 2@6");
        assertThat(lane.count(Counter.ON_TIME)).isEqualTo(3);
    }

    @Test
    void timersAreCalledInTheOrderOfTimeAndKeyBeforeTheWatermarkIsPassedOn() {
        Function function = Function.of((event, context) -> {
                    context.setTimer(20);
                    context.setTimer(context.key().equals("a") ? 30 : 10);
                    context.setTimer(20);
                })
                .onTimer(context -> context.emit(context.key() + context.timestamp() + "/" + context.watermark()));
        assertThat(run(
                        function,
                        List.of(
                                event("b", 5, 1),
                                event("a", 6, 1),
                                new Watermark<>(9),
                                new Watermark<>(10),
                                new Watermark<>(50))))
                .containsExactly("W1", "W9", "b10/10@10", "W10", "a20/20@20", "b20/20@20", "a30/30@30", "W50");
        assertThat(lane.count(Counter.TIMERS)).isEqualTo(4);
    }

    @Test
    void aTimerIsDueInTheMiddleOfARun() {
        Function function = Function.of((event, context) -> {
                    if (event.equals("a1")) {
                        context.setTimer(10);
                    }
                    context.emit(event);
                })
                .onTimer(context -> context.emit("timer"));
        EventBatch<String> run = EventBatch.<String>builder()
                .add("a1", 5, 1)
                .add("a2", 15, 9)
                .add("a3", 16, 12)
                .build(12);
        assertThat(run(function, List.of(run))).containsExactly("a1@5", "a2@15", "timer@10", "a3@16");
    }

    @Test
    void aDeletedTimerIsNotCalledAndOneThatIsSetAnewIs() {
        List<Boolean> deleted = new ArrayList<>();
        Function function = Function.of((event, context) -> {
                    switch (event) {
                        case "a1" -> {
                            context.setTimer(10);
                            context.setTimer(2_000);
                            context.setTimer(5_000_000);
                        }
                        case "a2" -> {
                            deleted.add(context.deleteTimer(10));
                            deleted.add(context.deleteTimer(2_000));
                            deleted.add(context.deleteTimer(5_000_000));
                            deleted.add(context.deleteTimer(11));
                        }
                        default -> context.setTimer(2_000);
                    }
                })
                .onTimer(context -> context.emit("timer"));
        assertThat(run(
                        function,
                        List.of(event("a1", 5, 1), event("a2", 6, 1), event("a3", 7, 1), new Watermark<>(9_000_000))))
                .containsExactly("W1", "timer@2000", "W9000000");
        assertThat(deleted).containsExactly(true, true, true, false);
    }

    @Test
    void aTimerMaySetAndDeleteOthersThatAreDueWithIt() {
        Function function = Function.of((event, context) -> {
                    context.setTimer(10);
                    context.setTimer(30);
                })
                .onTimer(context -> {
                    context.emit("timer");
                    if (context.timestamp() == 10) {
                        assertThat(context.setTimer(20)).isTrue();
                        assertThat(context.deleteTimer(30)).isTrue();
                        assertThat(context.setTimer(10)).isFalse();
                        assertThat(context.setTimer(9)).isFalse();
                        assertThat(context.deleteTimer(10)).isFalse();
                    }
                });
        assertThat(run(function, List.of(event("a", 5, 1), new Watermark<>(40))))
                .containsExactly("W1", "timer@10", "timer@20", "W40");
    }

    @Test
    void c58TheEndOfTheStreamCallsAllTimersAndNoneThatTheySet() {
        List<Boolean> set = new ArrayList<>();
        Function function = Function.of((event, context) -> context.setTimer(1_000_000_000_000L))
                .onTimer(context -> {
                    set.add(context.setTimer(context.timestamp() + 1));
                    context.emit("timer " + context.watermark());
                });
        assertThat(run(function, List.of(event("a", 5, 1), event("b", 5, 1), new Watermark<>(Watermark.END))))
                .containsExactly(
                        "W1",
                        "timer " + Watermark.END + "@1000000000000",
                        "timer " + Watermark.END + "@1000000000000",
                        "W" + Watermark.END);
        assertThat(set).containsExactly(false, false);
    }

    @Test
    void aLateEventIsHandedOverAndCounted() {
        Function function = Function.of((event, context) -> context.emit(event + " " + context.isLate()));
        assertThat(run(function, List.of(event("a1", 5, 5), event("a2", 6, 5))))
                .containsExactly("a1 true@5 late", "a2 false@6");
        assertThat(lane.count(Counter.LATE)).isEqualTo(1);
        assertThat(lane.count(Counter.ON_TIME)).isEqualTo(1);
        assertThat(lane.counters.values()).allMatch(each -> each.snapshot().sumHolds());
    }

    @Test
    void aLateEventGoesToTheLateOutputWhereThereIsOne() {
        List<LateEvent<String>> late = new ArrayList<>();
        List<String> out = EventFlux.fromElements(Flux.just(event("a1", 5, 5), event("a2", 6, 5)))
                .keyBy(value -> value.substring(0, 1))
                .process(Function.of((event, context) -> context.emit(event)), LateSink.<String>calling(late::add))
                .elements(() -> lane)
                .transform(EventTime.values())
                .collectList()
                .block(WAIT);
        assertThat(out).containsExactly("a2");
        assertThat(late).containsExactly(new LateEvent<>("a1", 5, 5, List.of()));
        assertThat(lane.count(Counter.SIDE)).isEqualTo(1);
        assertThat(lane.counters.values()).allMatch(each -> each.snapshot().sumHolds());
    }

    @Test
    void aTimerThatAnEventSetsForATimeThatHasPassedIsDueAtOnceAndLate() {
        Function function = Function.of((event, context) -> {
                    context.setTimer(context.timestamp() + 2);
                    context.setTimer(context.timestamp() + 1);
                    context.emit(event);
                })
                .onTimer(context -> context.emit("timer " + context.isLate() + " W" + context.watermark()));
        EventBatch<String> run =
                EventBatch.<String>builder().add("a1", 3, 4).add("a2", 10, 4).build(4);
        assertThat(run(function, List.of(run, new Watermark<>(20))))
                .containsExactly(
                        "a1@3 late",
                        "timer true W4@4 late",
                        "a2@10",
                        "timer false W5@5",
                        "timer false W11@11",
                        "timer false W12@12",
                        "W20");
    }

    @Test
    void whatACallEmitsMayFillManyRuns() {
        Function function = Function.of((event, context) -> {
            for (int i = 0; i < 1_000; i++) {
                context.emit(event + i);
            }
        });
        List<String> out = run(function, List.of(event("a", 5, 1), event("b", 6, 2)));
        assertThat(out).hasSize(2_000).startsWith("a0@5").endsWith("b999@6");
    }

    @Test
    void aRetractionIsRefusedAtAssemblyUnlessTheFunctionTakesIt() {
        WindowSpec corrected = WindowSpec.tumbling(Duration.ofMillis(10)).allowedLateness(Duration.ofMillis(10));
        KeyedFlux<String, WindowResult<String, Long>> keyed = EventFlux.fromElements(
                        Flux.<StreamElement<String>>empty())
                .keyBy(value -> value)
                .window(corrected)
                .aggregate(Aggregations.counting())
                .keyBy(WindowResult::key);
        assertThatThrownBy(() -> keyed.process(new Following(false, false)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("takes results back")
                .hasMessageContaining("takesRetractions");
        keyed.process(new Following(true, false));
        EventFlux<Long> retracting = keyed.process(new Following(true, true));
        assertThatThrownBy(() -> retracting
                        .keyBy(value -> value)
                        .window(WindowSpec.session(Duration.ofMillis(10)))
                        .aggregate(Aggregations.counting()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("takes results back");
    }

    /** Passes values on, and their signs. */
    private record Following(boolean takesRetractions, boolean emitsRetractions)
            implements KeyedProcess<String, WindowResult<String, Long>, Long> {

        @Override
        public void onEvent(WindowResult<String, Long> event, ProcessContext<String, Long> context) {
            if (context.sign() > 0) {
                context.emit(event.value());
            } else {
                context.retract(event.value());
            }
        }
    }

    @Test
    void signsPassThroughAFunctionThatFollowsThem() {
        EventBatch<String> run = EventBatch.<String>builder()
                .add("a", 5, 1)
                .add("a", 6, 5)
                .add("a", 11, 9)
                .add("a", 7, 9)
                .build(9);
        List<String> out = new ArrayList<>();
        EventFlux.fromElements(Flux.just(run, new Watermark<String>(30)))
                .keyBy(value -> value)
                .window(WindowSpec.tumbling(Duration.ofMillis(10)).allowedLateness(Duration.ofMillis(10)))
                .aggregate(Aggregations.counting())
                .keyBy(WindowResult::key)
                .process(new Following(true, true))
                .elements()
                .doOnNext(element -> {
                    if (element instanceof EventBatch<Long> values) {
                        for (int i = 0; i < values.size(); i++) {
                            out.add(values.sign(i) * values.value(i) + "@" + values.timestamp(i));
                        }
                    }
                })
                .blockLast(WAIT);
        assertThat(out).containsExactly("2@9", "-2@9", "3@9", "1@19");
    }

    @Test
    void misuseIsNamed() {
        AtomicReference<ProcessContext<String, String>> kept = new AtomicReference<>();
        AtomicReference<ValueState<Long>> state = new AtomicReference<>();
        Function function = Function.of((event, context) -> {
            kept.set(context);
            state.set(context.state(COUNT));
            assertThatThrownBy(() -> context.state(StateDescriptor.value("other", Codec.longs())))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("other")
                    .hasMessageContaining("KeyedProcess.states");
            assertThatThrownBy(() -> context.state(StateDescriptor.value("count", Codec.strings())))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(
                            "asked for count: value of " + Codec.strings().id())
                    .hasMessageContaining("use the one constant");
            assertThat(context.state(StateDescriptor.value("count", Codec.longs())))
                    .isNotNull();
            assertThatThrownBy(() -> context.setTimer(Watermark.END)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> context.setTimer(Watermark.NONE)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> context.retract("x"))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("emitsRetractions");
        });
        run(function, List.of(event("a", 5, 1)));
        assertThatThrownBy(() -> kept.get().emit("x")).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> kept.get().setTimer(5)).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> state.get().get()).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> StateDescriptor.value(" ", Codec.longs())).hasMessageContaining("\" \"");
        assertThatThrownBy(() -> StateDescriptor.value("a/b", Codec.longs())).hasMessageContaining("a/b");
        assertThatThrownBy(() -> COUNT.timeToLive(Duration.ZERO)).hasMessageContaining("PT0S");
        Function twice = new Function(List.of(COUNT, COUNT), (event, context) -> {}, context -> {});
        assertThatThrownBy(() -> run(twice, List.of())).hasMessageContaining("two states named count");
        Function without = new Function(null, (event, context) -> {}, context -> {});
        assertThatThrownBy(() -> run(without, List.of())).hasMessageContaining("returned null as its states");
    }

    @Test
    void aTimerThatFailsIsNamed() {
        Function function = Function.of((event, context) -> context.setTimer(10))
                .onTimer(context -> {
                    throw new IllegalArgumentException("on purpose");
                });
        assertThatThrownBy(() -> run(function, List.of(event("a", 5, 1), new Watermark<>(10))))
                .hasMessageContaining("on purpose")
                .satisfies(failure -> assertThat(failure.getSuppressed())
                        .extracting(Throwable::getMessage)
                        .contains("failed on the timer of key a at 10 ms"));
    }
}
