package io.fluxmark.windows;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import reactor.test.publisher.TestPublisher;
import reactor.test.subscriber.TestSubscriber;

/** What functions over keyed events tell while they run: counters, and why no timer is called. */
class ProcessExplanationTest {

    private static final StateDescriptor<ValueState<Long>> LAST = StateDescriptor.value("last", Codec.longs());

    /** Says a while after each event that it has been. */
    private static final KeyedProcess<String, Long, String> ECHO = new KeyedProcess<>() {
        @Override
        public List<StateDescriptor<?>> states() {
            return List.of(LAST);
        }

        @Override
        public void onEvent(Long event, ProcessContext<String, String> context) {
            context.state(LAST).set(event);
            context.setTimer(event + 2_000);
        }

        @Override
        public void onTimer(ProcessContext<String, String> context) {
            context.emit(context.key() + context.timestamp());
        }
    };

    private final TestPublisher<Long> source = TestPublisher.create();
    private final AtomicReference<LiveCounters> counters = new AtomicReference<>();
    private final AtomicReference<LiveExplanation> live = new AtomicReference<>();
    private final List<Object> late = new ArrayList<>();
    private final TestSubscriber<String> results = EventFlux.from(source.flux(), 1)
            .watermarksMillis(Long::longValue, WatermarkSpec.ascending())
            .keyBy(event -> "k" + event % 2)
            .processing()
            .lateTo(event -> late.add(event.value()))
            .countersTo(counters::set)
            .explainTo(live::set)
            .call(ECHO)
            .toFlux()
            .subscribeWith(TestSubscriber.create());

    private Explanation explanation() {
        LiveExplanation asked = Objects.requireNonNull(live.get());
        assertThat(asked.operator()).isEqualTo("process-2");
        return Objects.requireNonNull(asked.explain().block(Duration.ofSeconds(10)));
    }

    @Test
    void itTellsOfTimersThatAreSetAndOfWhoHoldsTheWatermark() {
        assertThat(explanation().text())
                .startsWith("process-2 (function): there is no watermark yet")
                .endsWith("no timer is set, 0 entries of state");
        source.next(1_000L).next(1_001L);
        Explanation running = explanation();
        assertThat(running.windows()).isNull();
        assertThat(running.watermark()).isEqualTo(1_000);
        assertThat(running.timers()).isEqualTo(2);
        assertThat(running.entries()).isEqualTo(2);
        assertThat(running.noTimerBefore()).isBetween(1_001L, 3_000L);
        assertThat(running.holders()).hasSize(1);
        assertThat(running.text())
                .contains("the watermark is 1970-01-01T00:00:01Z, held by partition 0")
                .contains("2 timers are set, 2 entries of state; none is due before the watermark reaches 1970-01-01T");

        source.next(3_001L).next(1_500L);
        assertThat(results.getReceivedOnNext()).containsExactly("k03000");
        assertThat(late).containsExactly(1_500L);
        Counters counted = counters.get().snapshot();
        assertThat(counted.get(Counter.TIMERS)).isEqualTo(1);
        assertThat(counted.get(Counter.SIDE)).isEqualTo(1);
        assertThat(counted.sumHolds()).isTrue();
        assertThat(explanation().timers()).isEqualTo(2);

        source.complete();
        assertThat(explanation().state()).isEqualTo(Explanation.State.COMPLETED);
        assertThat(explanation().text()).isEqualTo("process-2 (function) has completed: every timer has been called");
        assertThat(results.getReceivedOnNext()).containsExactly("k03000", "k13001", "k15001");
    }

    @Test
    void aFunctionThatHasFailedSaysSo() {
        source.next(1_000L).error(new IllegalStateException("gone"));
        assertThat(explanation().text())
                .contains("process-2 (function) has failed with")
                .contains("gone");
    }
}
