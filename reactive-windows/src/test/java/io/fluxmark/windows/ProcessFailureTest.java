package io.fluxmark.windows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;

/** What becomes of events and timers that a function over keyed events fails on. */
class ProcessFailureTest {

    private static final int EVENTS = 6_000;
    private static final long SEED = 71;

    private static final StateDescriptor<ValueState<Long>> LAST = StateDescriptor.value("last", Codec.longs());
    private static final StateDescriptor<ReducingState<Long>> SUM =
            StateDescriptor.<Long>reducing("sum", Codec.longs(), Long::sum).timeToLive(Duration.ofMillis(60));
    private static final StateDescriptor<ListState<Long>> TIMES =
            StateDescriptor.list("times", Codec.longs()).timeToLive(Duration.ofMillis(300));
    private static final StateDescriptor<MapState<Long, Long>> DIGITS = StateDescriptor.map(
                    "digits", KeyCodec.tagged(Long.class), Codec.longs())
            .timeToLive(Duration.ofMillis(40));

    /** An event, and how far the function comes with it. */
    private record Event(String key, long time, int steps) {

        /** None of its steps fails. */
        static final int ALL = 9;

        boolean fails() {
            return steps < ALL;
        }
    }

    /**
     * Changes state of each kind and timers in some order of its own, and tells what it sees. Where an event, or a timer, is to fail
     * it does so behind a few of its changes; {@code leavesOut} one does nothing instead.
     */
    private record Script(boolean leavesOut) implements KeyedProcess<String, Event, String> {

        static boolean failsAt(long timer) {
            return timer % 5 == 2;
        }

        @Override
        public List<StateDescriptor<?>> states() {
            return List.of(LAST, SUM, TIMES, DIGITS);
        }

        @Override
        public void onEvent(Event event, ProcessContext<String, String> context) {
            if (leavesOut && event.fails()) {
                return;
            }
            List<Runnable> steps = new ArrayList<>(List.of(
                    () -> context.state(SUM).add(event.time()),
                    () -> context.state(TIMES).add(event.time()),
                    () -> context.state(DIGITS).put(event.time() % 10, event.time()),
                    () -> context.state(DIGITS).remove(event.time() % 7),
                    () -> {
                        Long last = context.state(LAST).get();
                        if (last != null && context.deleteTimer(last + 30)) {
                            context.setTimer(last + 31);
                        }
                        context.state(LAST).set(event.time());
                    },
                    () -> context.setTimer(event.time() + 30),
                    () -> {
                        if (event.time() % 4 == 0) {
                            context.state(TIMES).clear();
                            context.state(DIGITS).clear();
                        }
                    },
                    () -> context.emit("event " + event + seen(context)),
                    () -> {
                        if (event.time() % 9 == 0) {
                            context.state(LAST).clear();
                        }
                    }));
            Random order = new Random(event.time());
            Collections.shuffle(steps, order);
            for (int i = 0; i < steps.size(); i++) {
                if (i == event.steps()) {
                    throw new IllegalStateException("step " + i);
                }
                steps.get(i).run();
            }
        }

        @Override
        public void onTimer(ProcessContext<String, String> context) {
            boolean fails = failsAt(context.timestamp());
            if (leavesOut && fails) {
                return;
            }
            context.emit("timer " + context.timestamp() + seen(context));
            context.state(DIGITS).put(11L, context.timestamp());
            context.state(TIMES).clear();
            context.setTimer(context.timestamp() + 3);
            context.deleteTimer(context.timestamp() + 1);
            if (fails) {
                throw new IllegalArgumentException("timer");
            }
            if (context.timestamp() % 3 == 0) {
                context.deleteTimer(context.timestamp() + 3);
            }
        }

        private static String seen(ProcessContext<String, String> context) {
            List<String> digits = new ArrayList<>();
            context.state(DIGITS).forEach((digit, time) -> digits.add(digit + "=" + time));
            return " of " + context.key() + ": " + context.state(LAST).get() + " "
                    + context.state(SUM).get() + " " + context.state(TIMES).get() + " " + digits;
        }
    }

    private static List<Event> events(long seed) {
        Random random = new Random(seed);
        List<Event> events = new ArrayList<>();
        for (int i = 0; i < EVENTS; i++) {
            long behind = random.nextInt(8) == 0 ? random.nextInt(90) : 0;
            int steps = random.nextInt(4) == 0 ? random.nextInt(Event.ALL) : Event.ALL;
            events.add(new Event("k" + random.nextInt(5), Math.max(0, i / 3 - behind), steps));
        }
        return events;
    }

    private static List<String> run(
            List<Event> events, int run, FailurePolicy policy, boolean leavesOut, TestLane lane) {
        return EventFlux.from(Flux.fromIterable(events), run)
                .watermarksMillis(Event::time, WatermarkSpec.boundedOutOfOrderness(Duration.ofMillis(10)))
                .onFailure(policy)
                .keyBy(Event::key)
                .process(new Script(leavesOut))
                .elements(() -> lane)
                .transform(EventTime.values())
                .collectList()
                .block(Duration.ofSeconds(60));
    }

    private static Counters counts(TestLane lane) {
        return lane.counters.get("process-2").snapshot();
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 256})
    void whereverACallFailsItIsAsIfThereHadBeenNone(int runSize) {
        List<Event> events = events(SEED + runSize);
        List<FunctionFailure> letters = new ArrayList<>();
        TestLane lane = new TestLane();
        List<String> failing = run(events, runSize, FailurePolicy.deadLetterTo(letters::add), false, lane);
        TestLane plain = new TestLane();
        List<String> leavingOut = run(events, runSize, FailurePolicy.fail(), true, plain);
        assertThat(failing).isEqualTo(leavingOut).hasSizeGreaterThan(EVENTS / 2);

        Counters counts = counts(lane);
        long failed = events.stream().filter(Event::fails).count();
        assertThat(counts.get(Counter.INGESTED)).isEqualTo(EVENTS);
        assertThat(counts.get(Counter.FAILED)).isEqualTo(failed).isGreaterThan(EVENTS / 8);
        assertThat(counts.sumHolds()).isTrue();
        assertThat(counts.get(Counter.FAILED_TIMERS)).isGreaterThan(EVENTS / 50);
        assertThat(counts.get(Counter.FAILED_TIMERS) + counts.get(Counter.TIMERS))
                .isEqualTo(counts(plain).get(Counter.TIMERS));
        assertThat(counts.get(Counter.EXPIRED))
                .isEqualTo(counts(plain).get(Counter.EXPIRED))
                .isGreaterThan(EVENTS / 50);
        assertThat(letters).hasSize((int) (failed + counts.get(Counter.FAILED_TIMERS)));
        assertThat(letters.stream().filter(letter -> letter.event() instanceof Event))
                .extracting(FunctionFailure::event)
                .containsExactlyElementsOf(events.stream().filter(Event::fails).toList());
        assertThat(letters)
                .allSatisfy(letter -> assertThat(letter.operator()).isEqualTo("process-2"))
                .filteredOn(letter -> letter.event() instanceof DueTimer)
                .allSatisfy(
                        letter -> assertThat(Script.failsAt(letter.timestamp())).isTrue());
        System.out.printf(
                "failing functions: %d events in runs of %d, %d failed, of %d timers %d failed, %d results, seed %d%n",
                EVENTS,
                runSize,
                failed,
                counts(plain).get(Counter.TIMERS),
                counts.get(Counter.FAILED_TIMERS),
                failing.size(),
                SEED + runSize);
    }

    @Test
    void skipCountsAndFailEndsTheStreamAsAnErrorAlwaysDoes() {
        List<Event> events = List.of(new Event("a", 0, 3), new Event("a", 1, Event.ALL));
        TestLane lane = new TestLane();
        assertThat(run(events, 256, FailurePolicy.skip(), false, lane)).isNotEmpty();
        assertThat(counts(lane).get(Counter.FAILED)).isEqualTo(1);
        assertThatThrownBy(() -> run(events, 256, FailurePolicy.fail(), false, new TestLane()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("step 3");
        assertThatThrownBy(() -> keyed(key -> {
                    throw new AssertionError("an error");
                }))
                .hasRootCauseInstanceOf(AssertionError.class)
                .hasRootCauseMessage("an error");
    }

    private static List<String> keyed(Predicate<String> broken) {
        return EventFlux.from(Flux.just("a", "b", "c"))
                .watermarksMillis(event -> 0, WatermarkSpec.ascending())
                .onFailure(FailurePolicy.skip())
                .keyBy(event -> broken.test(event) ? null : event)
                .process(new KeyedProcess<String, String, String>() {
                    @Override
                    public void onEvent(String event, ProcessContext<String, String> context) {
                        context.emit(event);
                    }
                })
                .toFlux()
                .collectList()
                .block(Duration.ofSeconds(30));
    }

    @Test
    void aKeyThatFailsOrIsNullIsAFailureOfItsEvent() {
        assertThat(keyed("b"::equals)).containsExactly("a", "c");
        assertThat(keyed(key -> {
                    throw new IllegalStateException(key);
                }))
                .isEmpty();
    }

    @Test
    void behindAStageThatTakesResultsBackOnlyFailIsAllowed() {
        KeyedProcess<String, WindowResult<String, Long>, String> signs = new KeyedProcess<>() {
            @Override
            public void onEvent(WindowResult<String, Long> result, ProcessContext<String, String> context) {
                context.emit(result.key() + context.sign());
            }

            @Override
            public boolean takesRetractions() {
                return true;
            }
        };
        KeyedFlux<String, WindowResult<String, Long>> corrected = EventFlux.from(Flux.just("a"))
                .watermarksMillis(event -> 0, WatermarkSpec.ascending())
                .keyBy(event -> event)
                .window(WindowSpec.tumbling(Duration.ofMillis(10)).allowedLateness(Duration.ofMillis(5)))
                .aggregate(Aggregations.counting())
                .onFailure(FailurePolicy.skip())
                .keyBy(WindowResult::key);
        assertThatThrownBy(() -> corrected.process(signs)).hasMessageContaining("takes results back");
    }

    @Test
    void countsOfALaneAreThoseOfItsLastKeyedStage() {
        Counters window = Counters.ofArray(new long[] {10, 10});
        Counters process = Counters.ofArray(new long[] {4, 3});
        Counters rejecting = Counters.ZERO.withRejected(2);
        assertThat(LaneCheckpoint.countsOf(
                        Map.of("window-2", window, "process-13", process, "event-time-1", rejecting)))
                .isEqualTo(process.withRejected(2));
        assertThat(LaneCheckpoint.countsOf(Map.of("window-12", window, "process-3", process)))
                .isEqualTo(window);
    }
}
