package io.fluxmark.windows;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Nested;
import reactor.core.Scannable;
import reactor.core.publisher.Flux;
import reactor.test.scheduler.VirtualTimeScheduler;

/** The operators of event time under contract. */
class TimeOperatorContractTest {

    private static final WatermarkSpec SPEC =
            WatermarkSpec.ascending().idleAfter(Duration.ofDays(1)).followClockWhenIdle(Duration.ofDays(2));

    private static long time(String value) {
        return Long.parseLong(value.substring(1));
    }

    private static IllegalStateException failure(String name) {
        return new IllegalStateException(name);
    }

    private static final class FailingGenerator implements WatermarkGenerator {

        @Override
        public long onEvent(long timestamp) {
            throw failure("the generator");
        }

        @Override
        public long[] state() {
            return new long[0];
        }

        @Override
        public void restore(long[] state) {
            // nothing to go on from
        }
    }

    @Nested
    class Partitions extends OperatorContractTest<StreamElement<String>, StreamElement<String>> {

        private Flux<StreamElement<String>> apply(
                Flux<StreamElement<String>> source,
                ToIntFunction<String> partition,
                WatermarkSpec spec,
                Consumer<InvalidEvent> invalid) {
            return source.transform(EventTime.assignByPartition(
                    2, partition, TimeOperatorContractTest::time, spec, invalid, LaneContext.local()));
        }

        @Override
        Flux<StreamElement<String>> apply(Flux<StreamElement<String>> source) {
            return apply(source, value -> (int) time(value) % 2, SPEC, invalid -> {});
        }

        @Override
        StreamElement<String> input(int i) {
            return EventBatch.ofValues("v" + i);
        }

        @Override
        Stream<?> contents(StreamElement<String> input) {
            return EventBatch.contents(input);
        }

        @Override
        Map<String, Function<Flux<StreamElement<String>>, Flux<StreamElement<String>>>> failing() {
            return Map.of(
                    "the invalid output",
                    source -> apply(source, value -> 2, SPEC, invalid -> {
                        throw failure("the invalid output");
                    }),
                    "the generator",
                    source -> apply(source, value -> 0, WatermarkSpec.generator(FailingGenerator::new), invalid -> {}));
        }

        @Override
        String name() {
            return "event-time";
        }
    }

    /** One source among others of a merge: what holds for the operator holds for each. */
    @Nested
    class Merged extends OperatorContractTest<String, StreamElement<String>> {

        private Flux<StreamElement<String>> apply(
                Flux<String> source,
                TimestampFunction<String> time,
                WatermarkSpec spec,
                Consumer<InvalidEvent> invalid) {
            return EventTime.merge(List.of(source, Flux.<String>empty()), 4, time, spec, invalid, LaneContext.local());
        }

        @Override
        Flux<StreamElement<String>> apply(Flux<String> source) {
            return apply(source, TimeOperatorContractTest::time, SPEC, invalid -> {});
        }

        @Override
        Scannable operator(ManualSource<String> source) {
            return Scannable.from(Scannable.from(source.subscriber()).scan(Scannable.Attr.ACTUAL));
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
            return Map.of(
                    "the invalid output",
                    source -> apply(source, value -> Long.MAX_VALUE, SPEC, invalid -> {
                        throw failure("the invalid output");
                    }),
                    "the generator",
                    source -> apply(
                            source,
                            TimeOperatorContractTest::time,
                            WatermarkSpec.generator(FailingGenerator::new),
                            invalid -> {}));
        }

        @Override
        String name() {
            return "merge";
        }
    }

    /** The clock stands still, so that the same input has the same times. */
    @Nested
    class ProcessingTime extends OperatorContractTest<StreamElement<String>, StreamElement<String>> {

        @Override
        Flux<StreamElement<String>> apply(Flux<StreamElement<String>> source) {
            LaneContext lane = LaneContext.local(VirtualTimeScheduler.create());
            return OperatorFlux.of(
                    source,
                    name(),
                    actual -> new ProcessingTimeOperator<String>(
                            actual, name(), Duration.ofDays(1).toMillis(), lane));
        }

        @Override
        StreamElement<String> input(int i) {
            return EventBatch.ofValues("v" + i);
        }

        @Override
        Stream<?> contents(StreamElement<String> input) {
            return EventBatch.contents(input);
        }

        @Override
        Map<String, Function<Flux<StreamElement<String>>, Flux<StreamElement<String>>>> failing() {
            return Map.of();
        }

        @Override
        String name() {
            return "processing-time";
        }
    }
}
