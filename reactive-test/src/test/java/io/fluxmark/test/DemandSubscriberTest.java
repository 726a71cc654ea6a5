package io.fluxmark.test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Schedulers;
import reactor.test.publisher.TestPublisher;

class DemandSubscriberTest {

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    @ParameterizedTest(name = "a demand of {0}")
    @ValueSource(longs = {1, 7, Long.MAX_VALUE})
    void everythingComesAndTheDemandIsAsSaid(long demand) {
        List<Long> requests = new ArrayList<>();
        DemandSubscriber<Integer> subscriber = DemandSubscriber.requesting(demand);
        Flux.range(0, 100).doOnRequest(requests::add).subscribe(subscriber);
        assertThat(subscriber.await(PATIENCE)).hasSize(100);
        assertThat(requests).containsOnly(demand);

        DemandSubscriber<Integer> elsewhere = DemandSubscriber.requesting(demand);
        Flux.range(0, 100).publishOn(Schedulers.parallel(), 3).subscribe(elsewhere);
        assertThat(elsewhere.await(PATIENCE)).hasSize(100);
    }

    @Test
    void moreThanWasRequestedIsAFailure() {
        TestPublisher<Integer> source = TestPublisher.createNoncompliant(TestPublisher.Violation.REQUEST_OVERFLOW);
        DemandSubscriber<Integer> subscriber = DemandSubscriber.requesting(1);
        source.subscribe(subscriber);
        source.next(1, 2);
        assertThatThrownBy(() -> subscriber.await(PATIENCE))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("onNext(2) without demand");
        source.assertCancelled();
    }

    @Test
    void signalsAfterTheEndAreFailures() {
        DemandSubscriber<Integer> subscriber = DemandSubscriber.requesting(5);
        Flux.<Integer>never().subscribe(subscriber);
        subscriber.onComplete();
        subscriber.onNext(1);
        assertThatThrownBy(() -> subscriber.await(PATIENCE)).hasMessageContaining("onNext(1) after the end");

        DemandSubscriber<Integer> twice = DemandSubscriber.requesting(5);
        Flux.<Integer>empty().subscribe(twice);
        twice.onComplete();
        assertThatThrownBy(() -> twice.await(PATIENCE)).hasMessageContaining("onComplete after the end");
    }

    @Test
    void nullAndASecondSubscriptionAreFailures() {
        DemandSubscriber<Integer> ofNull = DemandSubscriber.requesting(5);
        Flux.<Integer>never().subscribe(ofNull);
        ofNull.onNext(null);
        assertThatThrownBy(() -> ofNull.await(PATIENCE)).hasMessageContaining("onNext(null)");

        DemandSubscriber<Integer> twice = DemandSubscriber.requesting(5);
        Flux.<Integer>never().subscribe(twice);
        Flux.<Integer>never().subscribe(twice);
        assertThatThrownBy(() -> twice.await(PATIENCE)).hasMessageContaining("a second onSubscribe");
    }

    @Test
    void overlappingSignalsAreAFailure() {
        List<DemandSubscriber<Integer>> self = new ArrayList<>();
        DemandSubscriber<Integer> subscriber =
                DemandSubscriber.requesting(5, element -> self.get(0).onComplete());
        self.add(subscriber);
        Flux.just(1).subscribe(subscriber);
        assertThatThrownBy(() -> subscriber.await(PATIENCE)).hasMessageContaining("signals overlap");
    }

    @Test
    void anErrorOfThePublisherIsTheCause() {
        IllegalArgumentException failure = new IllegalArgumentException("source");
        DemandSubscriber<Integer> subscriber = DemandSubscriber.requesting(2);
        Flux.<Integer>error(failure).subscribe(subscriber);
        assertThatThrownBy(() -> subscriber.await(PATIENCE))
                .isInstanceOf(IllegalStateException.class)
                .hasCause(failure);
    }

    @Test
    void aListenerThatThrowsCancelsAndIsHeard() {
        TestPublisher<Integer> source = TestPublisher.create();
        DemandSubscriber<Integer> subscriber = DemandSubscriber.requesting(5, element -> {
            throw new AssertionError("not " + element);
        });
        source.subscribe(subscriber);
        source.next(3);
        source.assertCancelled();
        assertThatThrownBy(() -> subscriber.await(PATIENCE)).hasMessage("not 3");
    }

    @Test
    void silenceIsAFailure() {
        DemandSubscriber<Integer> subscriber = DemandSubscriber.requesting(2);
        Flux.range(0, 1).concatWith(Flux.never()).subscribe(subscriber);
        assertThatThrownBy(() -> subscriber.await(Duration.ofMillis(30)))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("a demand of 2 was not met within PT0.03S; 1 elements came");
        assertThatThrownBy(() -> DemandSubscriber.requesting(0)).hasMessageContaining("at least 1 but was 0");
    }
}
