package io.fluxmark.windows;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;

/** C65: a stream of more keys than any operator has room for streams of passes under the smallest demand. */
class ManyKeysTest {

    private static final int KEYS =
            System.getProperty("fluxmark.tier", "small").equals("thorough") ? 1_000_000 : 100_000;

    private static Map<String, WindowSpec> kinds() {
        Map<String, WindowSpec> kinds = new LinkedHashMap<>();
        kinds.put("tumbling", WindowSpec.tumbling(Duration.ofDays(1)));
        kinds.put("sliding", WindowSpec.sliding(Duration.ofDays(1), Duration.ofDays(1)));
        kinds.put("session", WindowSpec.session(Duration.ofDays(1)));
        kinds.put("session that closes on the way", WindowSpec.session(Duration.ofMillis(3)));
        kinds.put("count", WindowSpec.count(2));
        kinds.put("global", WindowSpec.global());
        return kinds;
    }

    /** Counts with each event, and emits by a timer a day later, for all keys at about the same time. */
    private record Once() implements KeyedProcess<Integer, Integer, WindowResult<Integer, Long>> {

        private static final StateDescriptor<ReducingState<Long>> SUM =
                StateDescriptor.reducing("sum", Codec.longs(), Long::sum);

        @Override
        public List<StateDescriptor<?>> states() {
            return List.of(SUM);
        }

        @Override
        public void onEvent(Integer event, ProcessContext<Integer, WindowResult<Integer, Long>> context) {
            context.state(SUM).add(1L);
            context.setTimer(86_400_000 + event % 100);
        }

        @Override
        public void onTimer(ProcessContext<Integer, WindowResult<Integer, Long>> context) {
            TimeWindow day = new TimeWindow(0, 86_400_000);
            context.emit(new WindowResult<>(
                    context.key(), day, context.state(SUM).get(), WindowResult.Kind.ON_TIME, 0, 0, 0, false));
            context.state(SUM).clear();
        }
    }

    @Test
    void c65AFunctionsTimersOfManyKeysAreCalledUnderADemandOfOne() {
        OneByOne receiver = new OneByOne();
        EventFlux.from(Flux.range(0, KEYS))
                .watermarksMillis(key -> key / 10, WatermarkSpec.ascending())
                .keyBy(key -> key)
                .process(new Once())
                .toFlux()
                .subscribe(receiver);
        assertThat(receiver.completed).isTrue();
        assertThat(receiver.results).isEqualTo(KEYS);
        assertThat(receiver.sum).isEqualTo(KEYS * (KEYS - 1L) / 2);
    }

    /** Asks for one result when the last one is there. */
    private static final class OneByOne extends BaseSubscriber<WindowResult<Integer, Long>> {

        long results;
        long sum;
        long asked;
        boolean completed;

        @Override
        protected void hookOnSubscribe(Subscription subscription) {
            ask();
        }

        private void ask() {
            asked++;
            request(1);
        }

        @Override
        protected void hookOnNext(WindowResult<Integer, Long> result) {
            results++;
            sum += result.key();
            assertThat(results).isEqualTo(asked);
            assertThat(result.value()).isEqualTo(1);
            ask();
        }

        @Override
        protected void hookOnComplete() {
            completed = true;
        }
    }

    @TestFactory
    Stream<DynamicTest> c65EachKeyOfManyHasItsResultUnderADemandOfOne() {
        return kinds().entrySet().stream()
                .map(kind -> DynamicTest.dynamicTest(kind.getKey(), () -> {
                    OneByOne receiver = new OneByOne();
                    EventFlux.from(Flux.range(0, KEYS))
                            .watermarksMillis(key -> key / 10, WatermarkSpec.ascending())
                            .keyBy(key -> key)
                            .window(kind.getValue())
                            .aggregate(Aggregations.counting())
                            .toFlux()
                            .subscribe(receiver);
                    assertThat(receiver.completed).isTrue();
                    assertThat(receiver.results).isEqualTo(KEYS);
                    assertThat(receiver.sum).isEqualTo(KEYS * (KEYS - 1L) / 2);
                }));
    }
}
