package io.fluxmark.windows;

import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;

/** The reactive-streams TCK over joins of two streams. */
class JoinTckTest {

    private static final Flux<Long> FAILED = Flux.error(new IllegalStateException("failed on purpose"));

    private static KeyedFlux<Long, Long> keyed(Flux<Long> source) {
        return EventFlux.from(source, 1)
                .watermarksMillis(Long::longValue, WatermarkSpec.ascending())
                .keyByLong(value -> value % 5);
    }

    private static Flux<Long> join(Flux<Long> left, Flux<Long> right) {
        return keyed(left)
                .join(keyed(right))
                .within(Duration.ZERO, Duration.ZERO)
                .inner((l, r) -> l)
                .toFlux();
    }

    private static Flux<Long> upTo(long end) {
        return Flux.generate(() -> 0L, (i, sink) -> {
            if (i >= end) {
                sink.complete();
            } else {
                sink.next(i);
            }
            return i + 1;
        });
    }

    @TestFactory
    Stream<DynamicTest> pairsOneByOne() {
        return TckTests.of(() -> new TckTests.Verification<Long>() {
            @Override
            public Publisher<Long> createPublisher(long elements) {
                return join(upTo(elements), upTo(elements));
            }

            @Override
            public Publisher<Long> createFailedPublisher() {
                return join(FAILED, FAILED);
            }
        });
    }
}
