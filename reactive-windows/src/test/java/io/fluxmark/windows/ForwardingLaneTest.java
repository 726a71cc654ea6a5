package io.fluxmark.windows;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

class ForwardingLaneTest {

    /** What a lane says of itself by default would otherwise be taken for what the lane inside says. */
    @Test
    void allThatALaneSaysIsForwarded() {
        List<Method> asked = Stream.of(LaneContext.class.getDeclaredMethods())
                .filter(method -> !Modifier.isStatic(method.getModifiers()) && !method.isSynthetic())
                .toList();
        assertThat(asked).hasSizeGreaterThan(8);
        for (Method method : asked) {
            assertThat(Stream.of(ForwardingLane.class.getDeclaredMethods()))
                    .as(method.getName())
                    .anySatisfy(own -> {
                        assertThat(own.getName()).isEqualTo(method.getName());
                        assertThat(own.getParameterTypes()).isEqualTo(method.getParameterTypes());
                    });
        }
    }

    /** Threads behind a split by key keep their state apart, whatever is around the lane. */
    @Test
    void eachThreadHasAStateOfItsOwnThroughWhatIsAroundTheLane() {
        List<StateBackend> states = List.of(StateBackend.heap(), StateBackend.heap());
        LaneContext lane = new LaneContext() {
            @Override
            public StateBackend state() {
                return StateBackend.heap();
            }

            @Override
            public StateBackend stateOfLane(int number, int threads) {
                return states.get(number);
            }

            @Override
            public Scheduler clock() {
                return Schedulers.parallel();
            }

            @Override
            public void counters(String operator, LiveCounters counters) {
                throw new UnsupportedOperationException(operator);
            }
        };
        LaneContext around = AnnouncedLane.of(new ObservedLane(lane, counters -> {}, live -> {}), 4);
        assertThat(around.stateOfLane(0, 2)).isSameAs(states.get(0));
        assertThat(around.stateOfLane(1, 2)).isSameAs(states.get(1));
        assertThat(around.runSize()).isEqualTo(4);
    }
}
