package io.fluxmark.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fluxmark.windows.Codec;
import io.fluxmark.windows.EventBatch;
import io.fluxmark.windows.EventBatchBuilder;
import io.fluxmark.windows.EventFlux;
import io.fluxmark.windows.KeyCodec;
import io.fluxmark.windows.KeyedProcess;
import io.fluxmark.windows.ListState;
import io.fluxmark.windows.MapState;
import io.fluxmark.windows.ProcessContext;
import io.fluxmark.windows.ReducingState;
import io.fluxmark.windows.StateDescriptor;
import io.fluxmark.windows.StreamElement;
import io.fluxmark.windows.ValueState;
import io.fluxmark.windows.Watermark;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Flux;

/** Functions with their state and timers in a real store. */
class StoredProcessTest {

    private static final int KEYS = Stores.THOROUGH ? 1_000_000 : 20_000;
    private static final int CASES = Stores.THOROUGH ? 200 : 8;
    private static final long SEED = 40_001;
    private static final Duration LIFE = Duration.ofMillis(100);

    /** An event: what is done with it follows from its number. */
    private record Event(String key, int number, long time) {}

    /** Every kind of state, and timers. */
    private record Everything(Duration life) implements KeyedProcess<String, Event, String> {

        private static final StateDescriptor<ValueState<Long>> COUNT = StateDescriptor.value("count", Codec.longs());
        private static final StateDescriptor<ListState<Long>> LIST = StateDescriptor.list("list", Codec.longs());
        private static final StateDescriptor<MapState<Long, String>> MAP =
                StateDescriptor.map("map", KeyCodec.tagged(Long.class), Codec.strings());
        private static final StateDescriptor<ReducingState<Long>> SUM =
                StateDescriptor.reducing("sum", Codec.longs(), Long::sum);

        private StateDescriptor<ValueState<Long>> count() {
            return COUNT.timeToLive(life);
        }

        private StateDescriptor<ListState<Long>> list() {
            return LIST.timeToLive(life);
        }

        private StateDescriptor<MapState<Long, String>> map() {
            return MAP.timeToLive(life);
        }

        private StateDescriptor<ReducingState<Long>> sum() {
            return SUM.timeToLive(life);
        }

        @Override
        public List<StateDescriptor<?>> states() {
            return List.of(count(), list(), map(), sum());
        }

        @Override
        public void onEvent(Event event, ProcessContext<String, String> context) {
            int number = event.number();
            Long before = context.state(count()).get();
            context.state(count()).set(before == null ? 1 : before + 1);
            context.state(list()).add((long) number);
            context.state(map()).put(number % 5L, "n" + number);
            context.state(map()).remove(number % 7L);
            context.state(sum()).add((long) number);
            if (number % 9 == 0) {
                context.state(list()).clear();
                context.state(map()).clear();
            }
            context.setTimer(event.time() + number % 40);
            context.deleteTimer(event.time() + number % 13);
        }

        @Override
        public void onTimer(ProcessContext<String, String> context) {
            StringBuilder text = new StringBuilder(context.key())
                    .append(' ')
                    .append(context.state(count()).get())
                    .append(context.state(list()).get())
                    .append(context.state(sum()).get());
            context.state(map())
                    .forEach((key, value) -> text.append(' ').append(key).append(value));
            context.emit(text.toString());
        }
    }

    private static RunningLane<Event, String> running(
            StateStore store, long budget, KeyedProcess<String, Event, String> function) {
        return new RunningLane<>(store, budget, elements -> process(elements, function));
    }

    private static EventFlux<String> process(
            Flux<StreamElement<Event>> elements, KeyedProcess<String, Event, String> function) {
        return EventFlux.fromElements(elements).keyBy(Event::key).process(function);
    }

    @TempDir
    Path directory;

    private static List<StreamElement<Event>> script(Random random) {
        List<StreamElement<Event>> elements = new ArrayList<>();
        long watermark = Watermark.NONE;
        for (int i = 0; i < 25; i++) {
            int time = 4 * i + random.nextInt(60);
            elements.add(EventBatch.<Event>builder()
                    .add(new Event("k" + random.nextInt(4), random.nextInt(1_000), time), time, watermark)
                    .build(watermark));
            watermark = Math.max(watermark, 4 * i - random.nextInt(10));
            if (random.nextInt(4) == 0) {
                elements.add(new Watermark<>(watermark));
            }
        }
        elements.add(new Watermark<>(Watermark.END));
        return elements;
    }

    private static List<String> withoutStop(List<StreamElement<Event>> elements, Everything function) {
        List<String> out = new ArrayList<>();
        process(Flux.fromIterable(elements), function)
                .elements()
                .doOnNext(element -> {
                    if (element instanceof EventBatch<String> run) {
                        for (int i = 0; i < run.size(); i++) {
                            out.add(run.timestamp(i) + " " + run.value(i));
                        }
                    }
                })
                .blockLast(Stores.PATIENCE);
        return out;
    }

    @Test
    void s47StoppedAndStartedBetweenAnyTwoElementsTheOutputIsTheSame() {
        Everything function = new Everything(Duration.ofMillis(30));
        for (int i = 0; i < CASES; i++) {
            long seed = SEED + i;
            List<StreamElement<Event>> elements = script(new Random(seed));
            try (StateStore store = Stores.open(directory.resolve("restart" + i), Stores.synchronous())) {
                RunningLane<Event, String> lane = running(store, LaneStateBackend.MIN_BUDGET, function);
                for (StreamElement<Event> element : elements) {
                    lane.push(element);
                    lane.barrier();
                    lane.restart();
                }
                assertThat(lane.out)
                        .as("seed %d: %s", seed, elements)
                        .isNotEmpty()
                        .isEqualTo(withoutStop(elements, function));
                lane.clean();
                assertThat(lane.stored()).isZero();
                assertThat(lane.held()).isZero();
            }
        }
        System.out.printf("function over a store, restart anywhere: %d cases, seeds from %d%n", CASES, SEED);
    }

    private static void feed(RunningLane<Event, String> lane, int from, int to) {
        EventBatchBuilder<Event> run = EventBatch.builder();
        for (int i = from; i < to; i++) {
            long time = i % 50;
            run.add(new Event("key" + i, i, time), time, -1);
            if (run.isFull() || i == to - 1) {
                lane.push(run.build(-1));
            }
            if (i % 5_000 == 4_999) {
                lane.barrier();
            }
        }
    }

    /** C37, C58, S43: state far beyond its budget, a restart in the middle, and in the end neither state nor index is left. */
    @Test
    void s43OfKeysWithOneEventNothingIsLeftInTheStoreNorInItsIndexes() {
        Everything function = new Everything(LIFE);
        long budget = 40L * KEYS;
        try (StateStore store = Stores.open(directory, Stores.synchronous())) {
            RunningLane<Event, String> lane = running(store, budget, function);
            feed(lane, 0, KEYS / 2);
            lane.barrier();
            lane.restart();
            feed(lane, KEYS / 2, KEYS);
            lane.barrier();
            assertThat(lane.backend.heapBytes()).isLessThanOrEqualTo(budget);
            assertThat(lane.held()).isGreaterThan(5L * KEYS);
            long stored = lane.stored();
            assertThat(stored).isGreaterThan(9L * KEYS);
            lane.restart();
            lane.push(new Watermark<>(90));
            assertThat(lane.emitted).isGreaterThan(KEYS / 2);
            lane.push(new Watermark<>(200));
            while (lane.held() > 0) {
                lane.barrier();
            }
            lane.clean();
            assertThat(lane.stored()).as("entries of states and indexes").isZero();
            lane.restart();
            assertThat(lane.held()).isZero();
            System.out.printf(
                    "function of %d keys over a budget of %d bytes: %d entries stored, then none%n",
                    KEYS, budget, stored);
        }
    }

    @Test
    void anotherStateUnderTheSameNameIsRefusedNamingBoth() {
        record Other(StateDescriptor<?> state) implements KeyedProcess<String, Event, String> {

            @Override
            public List<StateDescriptor<?>> states() {
                return List.of(state);
            }

            @Override
            public void onEvent(Event event, ProcessContext<String, String> context) {
                context.setTimer(event.time());
            }
        }
        try (StateStore store = Stores.open(directory, Stores.synchronous())) {
            running(store, 1 << 20, new Everything(LIFE)).barrier();
            // How long entries live may change, and states may be left out or added.
            running(store, 1 << 20, new Everything(LIFE.plusMillis(1))).barrier();
            running(store, 1 << 20, new Other(StateDescriptor.value("more", Codec.longs())))
                    .barrier();
            for (StateDescriptor<?> changed : List.of(
                    StateDescriptor.value("count", Codec.longs()),
                    StateDescriptor.value("count", Codec.strings()).timeToLive(LIFE),
                    StateDescriptor.list("count", Codec.longs()).timeToLive(LIFE))) {
                LaneSession session = Stores.lane(store, 0);
                StoredWindows.Lane lane = new StoredWindows.Lane(LaneStateBackend.of(session, 1 << 20));
                assertThatThrownBy(() -> process(Flux.empty(), new Other(changed))
                                .elements(() -> lane)
                                .blockLast(Stores.PATIENCE))
                        .isInstanceOf(StateStoreException.class)
                        .hasMessageContaining("operator process-1 of job job")
                        .hasMessageContaining("state count value of long with a time-to-live")
                        .hasMessageContaining("state " + changed.toString().replace(":", ""))
                        .hasMessageContaining("or a new operator or job name");
            }
        }
    }
}
