package io.fluxmark.windows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.ConcurrentModificationException;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** The states of a function, and their time-to-live (S43). */
class ProcessStateTest {

    private static final StateDescriptor<ValueState<String>> VALUE = StateDescriptor.value("value", Codec.strings());
    private static final StateDescriptor<ListState<Long>> LIST = StateDescriptor.list("list", Codec.longs());
    private static final StateDescriptor<MapState<String, Long>> MAP =
            StateDescriptor.map("map", KeyCodec.tagged(String.class), Codec.longs());
    private static final Duration HUNDRED = Duration.ofMillis(100);

    /** Drives the function of one operator as the operator does, without demand: a call is a lambda over the context. */
    private static final class Driver {

        private record Calls(List<StateDescriptor<?>> states)
                implements KeyedProcess<String, Consumer<ProcessContext<String, String>>, String> {

            @Override
            public void onEvent(Consumer<ProcessContext<String, String>> call, ProcessContext<String, String> context) {
                call.accept(context);
            }
        }

        final LiveCounters counters;
        final StoredState state;
        final ProcessLogic<Consumer<ProcessContext<String, String>>, String, String> logic;
        private final List<StateDescriptor<?>> states;
        private String key = "k";

        Driver(StoredState state, StateDescriptor<?>... states) {
            this(state, state.lane(), List.of(states));
        }

        Driver(StoredState state, LaneContext lane, List<StateDescriptor<?>> states) {
            this.state = state;
            this.states = states;
            StageTotals totals = StageTotals.open("process-1", lane);
            counters = totals.counters;
            logic = new ProcessLogic<>(
                    new ProcessDefinition<>(
                            "process-1", call -> key, KeyCodec.tagged(), new Calls(this.states), null, null),
                    lane,
                    totals);
        }

        Driver call(String ofCall, long time, Consumer<ProcessContext<String, String>> call) {
            key = ofCall;
            logic.add(
                    EventBatch.<Consumer<ProcessContext<String, String>>>builder()
                            .add(call, time, logic.watermark)
                            .build(logic.watermark),
                    0);
            return this;
        }

        Driver watermark(long target) {
            logic.settle(target);
            return this;
        }

        /** Another one that goes on from here. */
        Driver restarted() {
            StateTransaction transaction = state.begin();
            logic.flush(transaction);
            return new Driver(state.restarted(), states.toArray(StateDescriptor<?>[]::new));
        }

        long expired() {
            return counters.snapshot().get(Counter.EXPIRED);
        }
    }

    private static <H> Consumer<ProcessContext<String, String>> with(StateDescriptor<H> state, Consumer<H> action) {
        return context -> action.accept(context.state(state));
    }

    @Test
    void eachKeyHasStatesOfItsOwn() {
        Driver driver = new Driver(new StoredState(), VALUE, LIST, MAP)
                .call("a", 1, with(VALUE, value -> value.set("of a")))
                .call("b", 2, with(VALUE, value -> assertThat(value.get()).isNull()))
                .call("b", 2, with(LIST, list -> list.add(7L)))
                .call("b", 2, with(MAP, map -> map.put("x", 1L)))
                .restarted();
        driver.call("a", 3, with(VALUE, value -> assertThat(value.get()).isEqualTo("of a")))
                .call("a", 3, with(LIST, list -> assertThat(list.get()).isEmpty()))
                .call("a", 3, with(MAP, map -> assertThat(map.isEmpty()).isTrue()))
                .call("b", 3, with(LIST, list -> assertThat(list.get()).containsExactly(7L)))
                .call("b", 3, with(MAP, map -> assertThat(map.get("x")).isEqualTo(1)))
                .call("a", 3, with(VALUE, ValueState::clear))
                .call("a", 3, with(VALUE, value -> assertThat(value.get()).isNull()));
    }

    @Test
    void aListOfAnyLengthKeepsItsOrder() {
        Driver driver = new Driver(new StoredState(), LIST);
        int count = 3 * KeyedList.PIECE + 5;
        for (long i = 0; i < count; i++) {
            long element = i;
            driver.call("a", 1, with(LIST, list -> list.add(element)));
            driver = i % 50 == 0 ? driver.restarted() : driver;
        }
        driver.call("a", 1, with(LIST, list -> {
            assertThat(list.size()).isEqualTo(count);
            assertThat(list.get())
                    .containsExactlyElementsOf(
                            LongStream.range(0, count).boxed().toList());
            List<Long> seen = new ArrayList<>();
            list.forEach(element -> {
                seen.add(element);
                if (element < 100) {
                    list.add(-element);
                }
            });
            assertThat(seen).hasSize(count);
            assertThat(list.size()).isEqualTo(count + 100);
            assertThatThrownBy(() -> list.forEach(element -> list.clear()))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("key a");
        }));
        assertThat(driver.logic.entries()).isZero();
    }

    @Test
    void aMapIsWalkedOverInTheOrderOfPuttingAlsoWhileItChanges() {
        Driver driver = new Driver(new StoredState(), MAP);
        driver.call("a", 1, with(MAP, map -> {
            for (String key : List.of("d", "a", "c", "b")) {
                map.put(key, 1L);
            }
            map.put("a", 2L);
        }));
        driver = driver.restarted();
        driver.call("a", 1, with(MAP, map -> {
            List<String> seen = new ArrayList<>();
            map.forEach((key, value) -> {
                seen.add(key + value);
                if (key.equals("a") || key.equals("b")) {
                    map.remove(key);
                }
            });
            assertThat(seen).containsExactly("d1", "a2", "c1", "b1");
            map.put("a", 3L);
            assertThat(map.size()).isEqualTo(3);
        }));
        driver = driver.restarted();
        driver.call("a", 1, with(MAP, map -> {
            List<String> seen = new ArrayList<>();
            map.forEach((key, value) -> seen.add(key));
            assertThat(seen).containsExactly("d", "c", "a");
            assertThatThrownBy(() -> map.forEach((key, value) -> {
                        map.remove("d");
                        map.remove("c");
                    }))
                    .isInstanceOf(ConcurrentModificationException.class);
            map.clear();
            assertThat(map.isEmpty()).isTrue();
            assertThat(map.get("d")).isNull();
        }));
        assertThat(driver.logic.entries()).isZero();
    }

    @Test
    void s43ALateTouchDoesNotShortenTheDeadline() {
        StateDescriptor<ValueState<String>> value = VALUE.timeToLive(HUNDRED);
        for (boolean restarts : new boolean[] {false, true}) {
            Driver driver = new Driver(new StoredState(), value)
                    .call("k", 50, with(value, state -> state.set("x")))
                    .call("k", 40, with(value, state -> state.set("y")));
            driver = restarts ? driver.restarted() : driver;
            driver.watermark(149)
                    .call("k", 149, with(value, state -> assertThat(state.get()).isEqualTo("y")));
            driver = restarts ? driver.restarted() : driver;
            driver.watermark(150)
                    .call("k", 160, with(value, state -> assertThat(state.get()).isNull()));
            driver.watermark(300);
            assertThat(driver.logic.entries()).isZero();
            assertThat(driver.logic.indexed()).isZero();
            assertThat(driver.expired()).isEqualTo(1);
        }
    }

    @Test
    void s43ReadingIsNoTouchAndWritingIs() {
        StateDescriptor<ValueState<String>> value = VALUE.timeToLive(HUNDRED);
        Driver driver = new Driver(new StoredState(), value)
                .call("read", 0, with(value, state -> state.set("x")))
                .call("written", 0, with(value, state -> state.set("x")))
                .call("read", 90, with(value, ValueState::get))
                .call("written", 90, with(value, state -> state.set("y")))
                .watermark(189)
                .call("read", 189, with(value, state -> assertThat(state.get()).isNull()))
                .call("written", 189, with(value, state -> assertThat(state.get())
                        .isEqualTo("y")))
                .watermark(190)
                .call("written", 191, with(value, state -> assertThat(state.get())
                        .isNull()));
        assertThat(driver.watermark(250).logic.entries()).isZero();
    }

    @Test
    void s43AnEntryThatWouldBeOverAtOnceIsNotKept() {
        StateDescriptor<ListState<Long>> list = LIST.timeToLive(HUNDRED);
        Driver driver = new Driver(new StoredState(), list)
                .watermark(200)
                .call("k", 100, with(list, state -> state.add(1L)))
                .call("k", 101, with(list, state -> {
                    assertThat(state.get()).isEmpty();
                    state.add(2L);
                }))
                .call("k", 100, with(list, state -> state.add(3L)))
                .call("k", 300, with(list, state -> assertThat(state.get()).containsExactly(2L, 3L)));
        assertThat(driver.expired()).isEqualTo(1);
        assertThat(driver.logic.entries()).isEqualTo(2);
    }

    @Test
    void s43EachEntryOfAMapHasADeadlineOfItsOwn() {
        StateDescriptor<MapState<String, Long>> map = MAP.timeToLive(HUNDRED);
        Driver driver = new Driver(new StoredState(), map)
                .call("k", 0, with(map, state -> state.put("a", 1L)))
                .call("k", 50, with(map, state -> state.put("b", 2L)))
                .call("k", 20, with(map, state -> state.put("c", 3L)))
                .restarted();
        driver.watermark(130).call("k", 130, with(map, state -> {
            List<String> seen = new ArrayList<>();
            state.forEach((key, value) -> seen.add(key));
            assertThat(seen).containsExactly("b");
            assertThat(state.size()).isEqualTo(1);
            assertThat(state.get("a")).isNull();
            state.put("a", 4L);
            state.forEach((key, value) -> seen.add(key));
            assertThat(seen).containsExactly("b", "b", "a");
        }));
        driver.watermark(155)
                .call("k", 155, with(map, state -> assertThat(state.size()).isEqualTo(1)));
        driver.watermark(400);
        assertThat(driver.logic.entries()).isZero();
        assertThat(driver.logic.indexed()).isZero();
        assertThat(driver.expired()).isEqualTo(4);
    }

    @Test
    void s43WritingAKeyAgainAndAgainMovesNothingInTheIndex() {
        StateDescriptor<ValueState<String>> value = VALUE.timeToLive(Duration.ofSeconds(1));
        Driver driver = new Driver(new StoredState(), value);
        long most = 0;
        for (int i = 0; i < 20_000; i++) {
            driver.watermark(i - 1).call("k", i, with(value, state -> state.set("x")));
            if (i % 100 == 0) {
                driver.call("k", i, with(value, ValueState::clear));
            }
            most = Math.max(most, driver.logic.indexed());
        }
        assertThat(most).isLessThanOrEqualTo(12);
        driver.watermark(30_000);
        assertThat(driver.logic.indexed()).isZero();
        assertThat(driver.logic.entries()).isZero();
    }

    /** C37, on the heap. */
    @Test
    void s43Of100000KeysWithOneEventNothingIsLeft() {
        StateDescriptor<ValueState<String>> value = VALUE.timeToLive(HUNDRED);
        StateDescriptor<ListState<Long>> list = LIST.timeToLive(HUNDRED);
        StateDescriptor<MapState<String, Long>> map = MAP.timeToLive(HUNDRED);
        Driver driver = new Driver(new StoredState(), LaneContext.local(), List.of(value, list, map));
        for (int i = 0; i < 100_000; i++) {
            long number = i;
            driver.call("key" + i, i / 1_000, context -> {
                context.state(value).set("x");
                context.state(list).add(number);
                context.state(map).put("x", number);
            });
        }
        driver.watermark(99);
        assertThat(driver.logic.entries()).isEqualTo(500_000);
        driver.watermark(220);
        assertThat(driver.logic.entries()).isZero();
        assertThat(driver.logic.indexed()).isZero();
        assertThat(driver.expired()).isEqualTo(300_000);
    }

    /** C37: restarts before and after. */
    @Test
    void s43Of100000KeysWithOneEventNothingIsLeftAlsoAcrossARestart() {
        StateDescriptor<ValueState<String>> value = VALUE.timeToLive(HUNDRED);
        Driver driver = new Driver(new StoredState(), value);
        for (int i = 0; i < 100_000; i++) {
            driver.call("key" + i, i / 1_000, with(value, state -> state.set("x")));
        }
        driver = driver.restarted().watermark(199);
        // How much goes between two barriers is bounded.
        assertThat(driver.logic.entries()).isEqualTo(100_000 - (1 << 16));
        driver.call(
                "key99999", 200, with(value, state -> assertThat(state.get()).isNull()));
        driver = driver.restarted();
        driver.logic.flush(driver.state.begin());
        assertThat(driver.logic.entries()).isZero();
        assertThat(driver.logic.indexed()).isZero();
        assertThat(driver.expired()).isEqualTo(100_000);
        driver = driver.restarted();
        assertThat(driver.logic.entries()).isZero();
        assertThat(driver.logic.indexed()).isZero();
    }
}
