package io.fluxmark.windows;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.test.subscriber.TestSubscriber;

/** Sliding windows that share panes say what those say that have a state each: element by element, over random input. */
class SlottedWindowsTest {

    /** A number that an event adds to its key. */
    private record Event(long key, long time, int value) {}

    /** State on the heap that is not known to be there, so that every window has a state of its own. */
    private record OtherState(StateBackend heap) implements StateBackend {

        @Override
        public <K, A> PaneStore<K, A> panes(
                String operator, KeyCodec<K> keys, @Nullable Codec<A> accumulators, @Nullable Codec<?> emitted) {
            return heap.panes(operator, keys, accumulators, emitted);
        }

        @Override
        public long @Nullable [] longs(String operator, String name) {
            return heap.longs(operator, name);
        }
    }

    /** What came out of an operator. */
    private record Output(List<String> elements, List<String> late, Counters counters) {}

    /** Adds doubles: what it makes of the same numbers depends on how they are put together. */
    private static final class Rounding implements Aggregation<Event, double[], Double> {

        @Override
        public double[] create() {
            return new double[1];
        }

        @Override
        public double[] add(double[] sum, Event event) {
            sum[0] += Math.pow(10, event.value() % 17) / 3;
            return sum;
        }

        @Override
        public double[] merge(double[] first, double[] second) {
            first[0] += second[0];
            return first;
        }

        @Override
        public Double result(double[] sum) {
            return sum[0];
        }
    }

    /** The same, kept as a long. */
    private static final class RoundingInLongs implements LongsAggregation<Event, Double> {

        @Override
        public int cells() {
            return 1;
        }

        @Override
        public void add(long[] cells, int at, Event event) {
            plus(cells, at, Math.pow(10, event.value() % 17) / 3);
        }

        private static void plus(long[] cells, int at, double value) {
            cells[at] = Double.doubleToRawLongBits(Double.longBitsToDouble(cells[at]) + value);
        }

        @Override
        public void merge(long[] cells, int at, long[] others, int from) {
            plus(cells, at, Double.longBitsToDouble(others[from]));
        }

        @Override
        public Double result(long[] cells, int at) {
            return Double.longBitsToDouble(cells[at]);
        }
    }

    private static LaneContext lane(StateBackend state) {
        return new LaneContext() {
            @Override
            public StateBackend state() {
                return state;
            }

            @Override
            public Scheduler clock() {
                return Schedulers.immediate();
            }

            @Override
            public void counters(String operator, LiveCounters counters) {
                // handed out at the operator
            }
        };
    }

    private static KeyedFlux<Long, Event> keyed(List<StreamElement<Event>> input, boolean longKeys) {
        EventFlux<Event> events = EventFlux.fromElements(Flux.fromIterable(input));
        return longKeys ? events.keyByLong(Event::key) : events.keyBy(Event::key);
    }

    private static <R> Output run(
            List<StreamElement<Event>> input,
            WindowSpec windows,
            Aggregation<Event, ?, R> aggregation,
            StateBackend state,
            long demand,
            boolean longKeys) {
        AtomicReference<LiveCounters> counters = new AtomicReference<>();
        List<String> late = new ArrayList<>();
        Flux<StreamElement<WindowResult<Long, R>>> results = keyed(input, longKeys)
                .window(windows)
                .lateTo(event -> late.add(event.toString()))
                .countersTo(counters::set)
                .aggregate(aggregation)
                .elements(() -> lane(state));
        TestSubscriber<StreamElement<WindowResult<Long, R>>> subscriber =
                TestSubscriber.builder().initialRequest(demand).build();
        results.subscribe(subscriber);
        while (!subscriber.isTerminated()) {
            subscriber.request(demand);
        }
        assertThat(subscriber.isTerminatedComplete()).isTrue();
        List<String> lines = new ArrayList<>();
        subscriber.getReceivedOnNext().forEach(element -> addLines(lines, element));
        return new Output(lines, late, counters.get().snapshot());
    }

    private static void addLines(List<String> lines, StreamElement<?> element) {
        if (element instanceof EventBatch<?> run) {
            for (int i = 0; i < run.size(); i++) {
                lines.add(run.value(i) + " at " + run.timestamp(i) + " behind " + run.watermarkBefore(i) + " as "
                        + run.sign(i));
            }
            lines.add("run of " + run.size() + " before " + run.watermarkAfter());
        } else {
            lines.add(element.toString());
        }
    }

    private static WindowSpec windows(Random random) {
        long slide = 1L + random.nextInt(12);
        long size = random.nextBoolean() ? slide * (2 + random.nextInt(12)) : slide + 1 + random.nextInt(50);
        WindowSpec windows = (random.nextInt(4) == 0
                        ? WindowSpec.tumbling(Duration.ofMillis(slide))
                        : WindowSpec.sliding(Duration.ofMillis(size), Duration.ofMillis(slide)))
                .offset(Duration.ofMillis(random.nextInt((int) (2 * slide) - 1) - slide + 1))
                .allowedLateness(Duration.ofMillis(random.nextInt(3) * (long) random.nextInt(60)));
        return random.nextInt(4) == 0 ? windows.accumulation(Accumulation.ACCUMULATE) : windows;
    }

    /** Events around a rising watermark, some far ahead, in runs of any length. */
    private static final class Script {

        private final Random random;
        private final List<StreamElement<Event>> elements = new ArrayList<>();
        private final EventBatchBuilder<Event> run = EventBatch.builder();
        private final List<Event> added = new ArrayList<>();
        private final int disorder;
        private final int runLength;
        private long now;
        private long watermark = Watermark.NONE;

        Script(Random random) {
            this.random = random;
            this.disorder = 1 + random.nextInt(60);
            this.runLength = 1 + random.nextInt(random.nextBoolean() ? 20 : 200);
            this.now = random.nextInt(200) - 100L;
        }

        /**
         * Adds events.
         *
         * @param pace how many come before time goes on
         * @param retracting whether some are taken back
         */
        Script add(int steps, int keys, int pace, boolean retracting) {
            for (int i = 0; i < steps; i++) {
                now += random.nextInt(300) == 0 ? 1_700_000_000_000L : i % pace == 0 ? random.nextInt(4) : 0;
                if (retracting && !added.isEmpty() && random.nextInt(4) == 0) {
                    Event event = added.remove(random.nextInt(added.size()));
                    run.add(event, event.time(), watermark, -1);
                } else {
                    long time = now - random.nextInt(disorder);
                    Event event = new Event(random.nextInt(keys), time, random.nextInt(1_000));
                    run.add(event, time, watermark);
                    added.add(event);
                }
                if (random.nextInt(6) == 0) {
                    watermark = Math.max(watermark, now - random.nextInt(disorder));
                }
                if (run.isFull() || random.nextInt(runLength) == 0) {
                    elements.add(run.build(watermark));
                    if (random.nextInt(10) == 0) {
                        watermark = Math.max(watermark, now - random.nextInt(5));
                        elements.add(new Watermark<>(watermark, random.nextBoolean()));
                    }
                }
            }
            return this;
        }

        List<StreamElement<Event>> build(boolean ending) {
            if (run.size() > 0) {
                elements.add(run.build(watermark));
            }
            if (ending) {
                elements.add(new Watermark<>(Watermark.END));
            }
            return elements;
        }
    }

    private static void assertSame(
            Random random, List<StreamElement<Event>> input, WindowSpec windows, Aggregation<Event, ?, ?> aggregation) {
        StateBackend heap = StateBackend.heap();
        long demand = random.nextBoolean() ? Long.MAX_VALUE : 1 + random.nextInt(5);
        Output panes = run(input, windows, aggregation, heap, demand, random.nextBoolean());
        Output states = run(input, windows, aggregation, new OtherState(heap), Long.MAX_VALUE, false);
        for (int i = 0; i < Math.min(panes.elements().size(), states.elements().size()); i++) {
            assertThat(panes.elements().get(i))
                    .as("element %s of %s", i, windows)
                    .isEqualTo(states.elements().get(i));
        }
        assertThat(panes).as(windows.toString()).isEqualTo(states);
        assertThat(panes.counters().sumHolds()).isTrue();
    }

    @Property
    void whatSharedPanesSayIsWhatAStateForEachWindowSays(@ForAll Random random) {
        WindowSpec windows = windows(random);
        Aggregation<Event, ?, ?> aggregation =
                switch (random.nextInt(3)) {
                    case 0 -> Aggregations.summingLong(Event::value);
                    case 1 -> Aggregations.maxLong(event -> event.value() / 100);
                    default ->
                        Aggregations.allOf(
                                Aggregations.<Event>counting(),
                                Aggregations.averagingLong(Event::value),
                                (count, mean) -> count + " of " + mean);
                };
        List<StreamElement<Event>> input = new Script(random)
                .add(random.nextInt(300), 1 + random.nextInt(12), 1, aggregation.canSubtract())
                .build(random.nextInt(5) > 0);
        assertSame(random, input, windows, aggregation);
    }

    @Property(tries = 20)
    void keysMayComeAndGoInNumbers(@ForAll Random random) {
        WindowSpec windows = windows(random);
        Script script = new Script(random);
        for (int keys : new int[] {1_000, 3, 300}) {
            script.add(keys / 2 + 100, keys, Math.max(1, keys / 30), false);
        }
        assertSame(random, script.build(true), windows, Aggregations.counting());
    }

    private static WindowDefinition<Event, Long, long[], Long> counting(WindowSpec windows) {
        return new WindowDefinition<>("w", Event::key, KeyCodec.tagged(), windows, Aggregations.counting(), null, null);
    }

    @Property
    void bothSayWhichWindowsAreOpenAndWhichIsNext(@ForAll Random random) {
        WindowSpec windows = windows(random);
        LaneContext lane = lane(StateBackend.heap());
        WindowResults<Long, Long> resultsOfPanes = new WindowResults<>(new LiveCounters());
        WindowResults<Long, Long> resultsOfStates = new WindowResults<>(new LiveCounters());
        WindowLogic<Event, Long, long[], Long> panes =
                new SlottedWindows<>(counting(windows), lane, new LiveCounters(), resultsOfPanes, null);
        WindowLogic<Event, Long, long[], Long> states =
                new FixedWindows<>(counting(windows), lane, new LiveCounters(), resultsOfStates);
        long watermark = -50;
        for (int step = random.nextInt(60); step > 0; step--) {
            Event event = new Event(random.nextInt(3), watermark - 10 + random.nextInt(100), 1);
            watermark += random.nextInt(3) * (long) random.nextInt(30);
            add(panes, resultsOfPanes, event, watermark);
            add(states, resultsOfStates, event, watermark);
            assertThat(panes.status().openWindows()).isEqualTo(states.status().openWindows());
            assertThat(panes.status().next()).isEqualTo(states.status().next());
        }
        add(panes, resultsOfPanes, new Event(1, 0, 1), Watermark.END);
        assertThat(panes.status()).isEqualTo(new WindowStatus(Watermark.END, 0, 0, null));
    }

    private static void add(
            WindowLogic<Event, Long, long[], Long> logic,
            WindowResults<Long, Long> results,
            Event event,
            long watermark) {
        long before = results.watermark;
        logic.addAll(
                EventBatch.<Event>builder().add(event, event.time(), before).build(before), 0);
        results.watermark = watermark;
        if (logic.isDue(watermark)) {
            logic.beginAdvance(before);
            while (!logic.proceed()) {
                results.take();
            }
        }
        while (!results.isEmpty()) {
            results.take(); // as the operator does: a full run takes no event
        }
    }

    /** S15: what is taken back is what was emitted, bit for bit, even where the order of addition shows in the value. */
    @Property
    void s15WhatIsTakenBackIsExactlyWhatWasEmitted(@ForAll Random random) {
        WindowSpec windows = windows(random).accumulation(Accumulation.RETRACT);
        List<StreamElement<Event>> input = new Script(random)
                .add(random.nextInt(300), 1 + random.nextInt(4), 1, false)
                .build(true);
        Aggregation<Event, ?, Double> rounding = random.nextBoolean() ? new Rounding() : new RoundingInLongs();
        List<WindowResult<Long, Double>> results = EventFlux.fromElements(Flux.fromIterable(input))
                .keyBy(Event::key)
                .window(windows)
                .aggregate(rounding)
                .toFlux()
                .collectList()
                .block(Duration.ofSeconds(10));
        Map<Object, WindowResult<Long, Double>> inForce = new HashMap<>();
        Function<WindowResult<Long, Double>, Object> place = result -> List.of(result.key(), result.window());
        for (WindowResult<Long, Double> result : results) {
            WindowResult<Long, Double> before = result.isRetraction()
                    ? inForce.remove(place.apply(result))
                    : inForce.put(place.apply(result), result);
            assertThat(before == null).as("%s after %s", result, before).isEqualTo(!result.isRetraction());
            if (before != null) {
                assertThat(result.value()).isEqualTo(before.value());
                assertThat(result.revision()).isEqualTo(before.revision());
            }
        }
    }
}
