package io.fluxmark.windows;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;
import reactor.test.publisher.TestPublisher;

class RunAssemblerTest {

    private static List<Object> shape(Flux<Integer> source, int runSize) {
        return source.transform(EventTime.runs(runSize))
                .map(RunAssemblerTest::shape)
                .collectList()
                .block(Duration.ofSeconds(10));
    }

    private static Object shape(StreamElement<Integer> element) {
        return element instanceof EventBatch<Integer> batch ? batch.size() : "end";
    }

    @Test
    void aSourceThatAnswersOnTheSpotFillsRuns() {
        assertThat(shape(Flux.range(0, 20), 7)).containsExactly(7, 7, 6, "end");
        assertThat(shape(Flux.range(0, 3), 1)).containsExactly(1, 1, 1, "end");
        assertThat(shape(Flux.range(0, 600), EventBatch.MAX_SIZE)).containsExactly(256, 256, 88, "end");
    }

    @Test
    void aValueThatComesOnItsOwnTravelsAtOnce() {
        TestPublisher<Integer> source = TestPublisher.create();
        List<Object> seen = new ArrayList<>();
        source.flux().transform(EventTime.runs()).map(RunAssemblerTest::shape).subscribe(seen::add);
        source.next(1);
        assertThat(seen).containsExactly(1);
        source.next(2, 3);
        assertThat(seen).containsExactly(1, 1, 1);
        source.complete();
        assertThat(seen).containsExactly(1, 1, 1, "end");
    }

    @Test
    void valuesThatAreNotWantedYetWaitForEachOther() {
        TestPublisher<Integer> source = TestPublisher.create();
        StepVerifier.create(source.flux().transform(EventTime.runs()).map(RunAssemblerTest::shape), 0)
                .then(() -> source.next(1, 2, 3))
                .thenRequest(1)
                .expectNext(3)
                .thenCancel()
                .verify(Duration.ofSeconds(10));
    }

    @Test
    void orderHoldsWhenASourceAnswersOnTheSpotAndGoesOnElsewhere() {
        int rounds = System.getProperty("fluxmark.tier", "small").equals("thorough") ? 500 : 50;
        List<Integer> expected = IntStream.range(0, 2_000).boxed().toList();
        for (int round = 0; round < rounds; round++) {
            Flux<Integer> source = Flux.concat(
                    Flux.range(0, 100 + round),
                    Flux.range(100 + round, 1_000).publishOn(Schedulers.parallel(), 3),
                    Flux.range(1_100 + round, 900 - round).hide());
            List<Integer> values = source.transform(EventTime.runs(1 + round % EventBatch.MAX_SIZE))
                    .transform(EventTime.values())
                    .collectList()
                    .block(Duration.ofSeconds(10));
            assertThat(values).isEqualTo(expected);
        }
        System.out.println("runs across threads: " + rounds + " cases, no seed");
    }

    @Test
    void whatCameBeforeAnErrorIsDelivered() {
        Flux<Integer> source = Flux.range(0, 5).concatWith(Flux.error(new IllegalStateException("source")));
        StepVerifier.create(source.transform(EventTime.runs()).map(RunAssemblerTest::shape))
                .expectNext(5)
                .verifyErrorMessage("source");
    }

    @Test
    void noMoreIsAskedForThanOneRun() {
        List<Long> requests = new ArrayList<>();
        StepVerifier.create(
                        Flux.range(0, 1_000)
                                .hide()
                                .doOnRequest(requests::add)
                                .transform(EventTime.runs(16))
                                .map(RunAssemblerTest::shape),
                        0)
                .thenAwait()
                .thenCancel()
                .verify(Duration.ofSeconds(10));
        assertThat(requests).containsExactly(16L);
    }

    @Test
    void whatWaitsAtACancelIsDiscardedOnce() {
        List<Object> discarded = new ArrayList<>();
        StepVerifier.create(
                        Flux.range(0, 5)
                                .hide()
                                .concatWith(Flux.never())
                                .transform(EventTime.runs(8))
                                .doOnDiscard(Integer.class, discarded::add),
                        0)
                .thenAwait()
                .thenCancel()
                .verify(Duration.ofSeconds(10));
        assertThat(discarded).containsExactly(0, 1, 2, 3, 4);
    }
}
