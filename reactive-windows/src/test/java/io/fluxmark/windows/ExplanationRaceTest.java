package io.fluxmark.windows;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.test.subscriber.TestSubscriber;
import reactor.test.util.RaceTestUtils;

/** Questions that cross input, demand, the end and a cancel: each is answered, and the stream is as without it. */
class ExplanationRaceTest {

    private static final int ROUNDS =
            System.getProperty("fluxmark.tier", "small").equals("thorough") ? 20_000 : 1_000;
    private static final Duration WAIT = Duration.ofSeconds(20);

    private static StreamElement<Long> run(long... times) {
        EventBatchBuilder<Long> run = EventBatch.builder();
        for (long time : times) {
            run.add(time, 0, Watermark.NONE);
        }
        return run.build(Watermark.NONE);
    }

    private static void race(String name, BiConsumer<ManualSource<StreamElement<Long>>, TestSubscriber<Object>> other) {
        for (int i = 0; i < ROUNDS; i++) {
            ManualSource<StreamElement<Long>> source = new ManualSource<>();
            AtomicReference<LiveExplanation> live = new AtomicReference<>();
            TestSubscriber<Object> subscriber =
                    TestSubscriber.builder().initialRequest(1).build();
            EventFlux.fromElements(source)
                    .watermarksByPartition(
                            2, time -> (int) (time % 2), time -> time, WatermarkSpec.ascending(), invalid -> {})
                    .keyBy(time -> "k")
                    .window(WindowSpec.tumbling(Duration.ofMillis(10)))
                    .explainTo(live::set)
                    .aggregate(Aggregations.counting())
                    .elements()
                    .cast(Object.class)
                    .subscribe(subscriber);
            AtomicReference<Mono<Explanation>> answer = new AtomicReference<>();
            RaceTestUtils.race(() -> other.accept(source, subscriber), () -> {
                Mono<Explanation> asked = live.get().explain().cache();
                asked.subscribe();
                answer.set(asked);
            });
            Explanation explained = Objects.requireNonNull(answer.get().block(WAIT), "an answer");
            assertThat(explained.watermark()).isIn(Watermark.NONE, 0L, 11L, 21L, Watermark.END);
            assertThat(explained.text()).startsWith("window-2 ");
            assertThat(subscriber.getProtocolErrors()).isEmpty();
        }
        System.out.printf("race of a question and %s: %d rounds%n", name, ROUNDS);
    }

    @Test
    void aQuestionAgainstInputDemandAndCompletion() {
        race("input, demand and completion", (source, subscriber) -> {
            source.next(run(1, 2));
            subscriber.request(1);
            source.next(run(13, 12));
            subscriber.request(Long.MAX_VALUE);
            source.next(run(22, 23));
            source.next(new Watermark<>(Watermark.END));
            source.complete();
            subscriber.block(WAIT);
            assertThat(subscriber.isTerminatedComplete()).isTrue();
            assertThat(subscriber.getReceivedOnNext().stream()
                            .filter(EventBatch.class::isInstance)
                            .mapToInt(run -> ((EventBatch<?>) run).size())
                            .sum())
                    .isEqualTo(3);
        });
    }

    @Test
    void aQuestionAgainstACancel() {
        race("a cancel", (source, subscriber) -> {
            source.next(run(1, 2));
            subscriber.cancel();
        });
    }

    @Test
    void aQuestionAgainstAFailure() {
        race("a failure", (source, subscriber) -> {
            source.next(run(1, 2));
            source.fail(new IllegalStateException("on purpose"));
        });
    }
}
