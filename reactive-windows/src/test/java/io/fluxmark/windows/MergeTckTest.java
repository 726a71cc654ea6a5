package io.fluxmark.windows;

import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;

/** The Reactive Streams TCK over a merge: of how many events its runs are made is its own affair, so they are taken apart. */
class MergeTckTest {

    private static final Flux<Long> FAILED = Flux.error(new IllegalStateException("failed on purpose"));

    private static Flux<Long> every(long first, long step, long end) {
        return Flux.generate(() -> first, (i, sink) -> {
            if (i >= end) {
                sink.complete();
            } else {
                sink.next(i);
            }
            return i + step;
        });
    }

    private static Flux<Long> merged(List<Flux<Long>> sources) {
        return EventFlux.merge(sources, Long::longValue, WatermarkSpec.ascending())
                .toFlux();
    }

    @TestFactory
    Stream<DynamicTest> eventsOneByOne() {
        return TckTests.of(() -> new TckTests.Verification<Long>() {
            @Override
            public Publisher<Long> createPublisher(long elements) {
                return merged(List.of(every(0, 3, elements), every(1, 3, elements), every(2, 3, elements)));
            }

            @Override
            public Publisher<Long> createFailedPublisher() {
                return merged(List.of(FAILED, FAILED));
            }
        });
    }

    private static EventFlux<Long> timed(Flux<Long> source) {
        return EventFlux.from(source).watermarksMillis(Long::longValue, WatermarkSpec.ascending());
    }

    @TestFactory
    Stream<DynamicTest> eventsOfAUnion() {
        return TckTests.of(() -> new TckTests.Verification<Long>() {
            @Override
            public Publisher<Long> createPublisher(long elements) {
                return timed(every(0, 2, elements))
                        .union(timed(every(1, 2, elements)))
                        .toFlux();
            }

            @Override
            public Publisher<Long> createFailedPublisher() {
                return timed(FAILED).union(timed(FAILED)).toFlux();
            }
        });
    }
}
