package io.fluxmark.windows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.fluxmark.windows.internal.DrainOperator;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.reactivestreams.Subscription;
import reactor.core.Fuseable;
import reactor.core.Scannable;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Hooks;
import reactor.core.scheduler.Schedulers;
import reactor.test.subscriber.TestSubscriber;

/**
 * What every operator owes Reactor, whatever it does. A subclass says how the operator is applied and what to feed it.
 *
 * @param <I> the inputs
 * @param <O> the outputs
 */
abstract class OperatorContractTest<I, O> {

    private static final Duration WAIT = Duration.ofSeconds(20);
    private static final int MANY = 200_000;

    private final List<Object> droppedValues = new ArrayList<>();
    private final List<Throwable> droppedErrors = new ArrayList<>();

    @BeforeEach
    void listenToDropHooks() {
        Hooks.onNextDropped(droppedValues::add);
        Hooks.onErrorDropped(droppedErrors::add);
    }

    @AfterEach
    void resetHooks() {
        Hooks.resetOnNextDropped();
        Hooks.resetOnErrorDropped();
    }

    /** The operator behind a source. */
    abstract Flux<O> apply(Flux<I> source);

    /** An input, the {@code i}-th from 0, that becomes at least one output when the stream goes on or ends. */
    abstract I input(int i);

    /** What a discard hook gets of an input. */
    abstract Stream<?> contents(I input);

    /** The operator with user code that fails on the first input, by the name of the callback. */
    abstract Map<String, Function<Flux<I>, Flux<O>>> failing();

    /** The name that the operator shows. */
    abstract String name();

    /** Whether signals may come on other threads than the source's. */
    Scannable.Attr.RunStyle runStyle() {
        return Scannable.Attr.RunStyle.SYNC;
    }

    /** The operator that has subscribed to a source. */
    Scannable operator(ManualSource<I> source) {
        return Scannable.from(source.subscriber());
    }

    private List<I> inputs(int n) {
        return Stream.iterate(0, i -> i + 1).limit(n).map(this::input).toList();
    }

    private List<String> outputs(int n) {
        return texts(apply(Flux.fromIterable(inputs(n))).collectList().block(WAIT));
    }

    private static List<String> texts(List<?> outputs) {
        return outputs.stream().map(Object::toString).toList();
    }

    @Test
    void whatIsRequestedComesAndNoMore() {
        TestSubscriber<O> subscriber =
                TestSubscriber.builder().initialRequest(0).build();
        apply(Flux.fromIterable(inputs(20))).subscribe(subscriber);
        int requested = 0;
        while (!subscriber.isTerminated()) {
            assertThat(subscriber.getReceivedOnNext().size()).isLessThanOrEqualTo(requested);
            assertThat(requested).as("demand without an end").isLessThan(1_000);
            subscriber.request(1);
            requested++;
        }
        assertThat(subscriber.isTerminatedComplete()).isTrue();
        assertThat(String.join("", texts(subscriber.getReceivedOnNext()))).isNotEmpty();
        assertThat(values(subscriber.getReceivedOnNext())).isEqualTo(values(outputs(20)));
    }

    /** Without what depends on demand: runs and watermarks may be cut differently, the values in them may not. */
    private static String values(List<?> outputs) {
        StringBuilder text = new StringBuilder();
        for (Object output : outputs) {
            text.append(output.toString().replaceAll("Watermark\\[[^]]*]|after=[-0-9]+|EventBatch\\[|]$", ""));
        }
        return text.toString();
    }

    @Test
    void theEndNeedsNoDemandOfItsOwn() {
        List<String> all = outputs(5);
        TestSubscriber<O> subscriber =
                TestSubscriber.builder().initialRequest(all.size()).build();
        apply(Flux.fromIterable(inputs(5))).subscribe(subscriber);
        assertThat(subscriber.getReceivedOnNext()).hasSize(all.size());
        assertThat(subscriber.isTerminatedComplete()).isTrue();
    }

    @Test
    void requestsOfNothingOrLessChangeNothing() {
        TestSubscriber<O> subscriber =
                TestSubscriber.builder().initialRequest(0).build();
        AtomicReference<Subscription> subscription = new AtomicReference<>();
        apply(Flux.fromIterable(inputs(3))).doOnSubscribe(subscription::set).subscribe(subscriber);
        subscription.get().request(0);
        subscription.get().request(-1);
        assertThat(subscriber.getReceivedOnNext()).isEmpty();
        assertThat(subscriber.isTerminated()).isFalse();
        subscription.get().request(Long.MAX_VALUE);
        subscription.get().request(Long.MAX_VALUE);
        assertThat(subscriber.isTerminatedComplete()).isTrue();
        assertThat(values(subscriber.getReceivedOnNext())).isEqualTo(values(outputs(3)));
    }

    @Test
    void cancelCancelsTheSourceOnceAndSilencesTheOperator() {
        ManualSource<I> source = new ManualSource<>();
        TestSubscriber<O> subscriber = TestSubscriber.create();
        apply(source).subscribe(subscriber);
        source.next(input(0));
        int before = subscriber.getReceivedOnNext().size();
        subscriber.cancel();
        assertThat(source.cancels).hasValue(1);
        if (operator(source) instanceof DrainOperator<?, ?>) {
            source.next(input(1));
            source.complete();
        }
        assertThat(subscriber.getReceivedOnNext()).hasSize(before);
        assertThat(subscriber.isTerminated()).isFalse();
        assertThat(droppedErrors).isEmpty();
    }

    @Test
    void anErrorOfTheSourceComesBehindWhatCameBefore() {
        IllegalStateException failure = new IllegalStateException("source");
        ManualSource<I> source = new ManualSource<>();
        TestSubscriber<O> subscriber = TestSubscriber.create();
        apply(source).subscribe(subscriber);
        source.next(input(0));
        source.next(input(1));
        int before = subscriber.getReceivedOnNext().size();
        source.fail(failure);
        assertThat(before).isPositive();
        assertThat(subscriber.getReceivedOnNext()).hasSize(before);
        assertThat(subscriber.expectTerminalError()).isSameAs(failure);
    }

    @TestFactory
    Stream<DynamicTest> anErrorOfUserCodeCancelsTheSourceAndIsTheEnd() {
        return failing().entrySet().stream()
                .map(callback -> DynamicTest.dynamicTest(callback.getKey(), () -> {
                    ManualSource<I> source = new ManualSource<>();
                    TestSubscriber<O> subscriber = TestSubscriber.create();
                    callback.getValue().apply(source).subscribe(subscriber);
                    source.next(input(0));
                    assertThat(subscriber.isTerminatedError()).isTrue();
                    assertThat(subscriber.expectTerminalError())
                            .isInstanceOfAny(IllegalStateException.class, NullPointerException.class)
                            .hasMessageContaining(callback.getKey());
                    assertThat(source.cancels.get()).isPositive();
                    source.next(input(1));
                    source.complete();
                    assertThat(subscriber.getProtocolErrors()).isEmpty();
                }));
    }

    @Test
    void signalsAfterTheEndGoToTheHooks() {
        ManualSource<I> source = new ManualSource<>();
        TestSubscriber<O> subscriber = TestSubscriber.create();
        apply(source).subscribe(subscriber);
        source.complete();
        assertThat(subscriber.isTerminatedComplete()).isTrue();
        I late = input(0);
        IllegalStateException failure = new IllegalStateException("after the end");
        source.next(late);
        source.fail(failure);
        source.complete();
        assertThat(droppedValues).containsExactly(late);
        assertThat(droppedErrors).containsExactly(failure);
        assertThat(subscriber.getProtocolErrors()).isEmpty();
    }

    @Test
    void aSecondSubscriptionIsCancelledAndTheFirstGoesOn() {
        ManualSource<I> source = new ManualSource<>();
        TestSubscriber<O> subscriber = TestSubscriber.create();
        apply(source).subscribe(subscriber);
        ManualSource<I> second = new ManualSource<>();
        source.subscriber().onSubscribe(second);
        assertThat(second.cancels).hasValue(1);
        assertThat(source.cancels).hasValue(0);
        source.next(input(0));
        source.complete();
        assertThat(subscriber.isTerminatedComplete()).isTrue();
    }

    @Test
    void theContextOfTheSubscriberReachesTheSource() {
        ManualSource<I> source = new ManualSource<>();
        apply(source).contextWrite(context -> context.put("who", "me")).subscribe();
        assertThat(source.context().<String>get("who")).isEqualTo("me");
    }

    @Test
    void itCanBeScanned() {
        ManualSource<I> source = new ManualSource<>();
        Flux<O> flux = apply(source);
        assertThat(Scannable.from(flux).scan(Scannable.Attr.PARENT)).isSameAs(source);
        assertThat(Scannable.from(flux).name()).isEqualTo(name());
        TestSubscriber<O> subscriber = TestSubscriber.create();
        flux.subscribe(subscriber);
        Scannable operator = operator(source);
        assertThat(operator.isScanAvailable()).isTrue();
        assertThat(operator.scan(Scannable.Attr.ACTUAL)).isSameAs(subscriber);
        assertThat(operator.scan(Scannable.Attr.RUN_STYLE)).isEqualTo(runStyle());
        assertThat(operator.scan(Scannable.Attr.TERMINATED)).isFalse();
        assertThat(operator.scan(Scannable.Attr.CANCELLED)).isFalse();
        if (operator instanceof DrainOperator<?, ?>) {
            assertThat(operator.scan(Scannable.Attr.PREFETCH)).isEqualTo(source.requested.intValue());
            assertThat(operator.scan(Scannable.Attr.BUFFERED)).isZero();
            assertThat(operator.scan(Scannable.Attr.REQUESTED_FROM_DOWNSTREAM)).isEqualTo(Long.MAX_VALUE);
        }
        source.complete();
        assertThat(operator.scan(Scannable.Attr.TERMINATED)).isTrue();

        ManualSource<I> other = new ManualSource<>();
        TestSubscriber<O> cancelling = TestSubscriber.create();
        apply(other).subscribe(cancelling);
        cancelling.cancel();
        assertThat(Scannable.from(other.subscriber()).scan(Scannable.Attr.CANCELLED))
                .isTrue();
        assertThat(operator(other).scan(Scannable.Attr.CANCELLED)).isTrue();
    }

    @Test
    void aThreadBehindItGetsEverythingFromHiddenAndFusedSources() {
        String expected = values(outputs(500));
        for (int prefetch : new int[] {1, 2, 256}) {
            Flux<I> inputs = Flux.fromIterable(inputs(500));
            for (Flux<I> source : List.of(inputs, inputs.hide(), inputs.publishOn(Schedulers.parallel(), 3))) {
                assertThat(values(apply(source)
                                .publishOn(Schedulers.parallel(), prefetch)
                                .collectList()
                                .block(WAIT)))
                        .isEqualTo(expected);
            }
        }
    }

    @Test
    void itOffersNoFusion() {
        ManualSource<I> source = new ManualSource<>();
        Flux<O> flux = apply(source);
        assertThat(flux).isNotInstanceOf(Fuseable.class);
        flux.subscribe();
        assertThat(Scannable.from(source.subscriber())).isNotInstanceOf(Fuseable.QueueSubscription.class);
        assertThat(operator(source)).isNotInstanceOf(Fuseable.QueueSubscription.class);
    }

    @Test
    void demandFromWithinOnNextDoesNotRecurse() {
        int[] received = {0};
        AtomicReference<Throwable> failure = new AtomicReference<>();
        BaseSubscriber<O> subscriber = new BaseSubscriber<>() {
            @Override
            protected void hookOnSubscribe(Subscription s) {
                s.request(1);
            }

            @Override
            protected void hookOnNext(O output) {
                received[0]++;
                request(1);
            }

            @Override
            protected void hookOnError(Throwable error) {
                failure.set(error);
            }
        };
        apply(Flux.range(0, MANY).map(this::input)).subscribe(subscriber);
        assertThat(failure).hasValue(null);
        assertThat(subscriber.isDisposed()).isTrue();
        assertThat(received[0]).isGreaterThanOrEqualTo(MANY / EventBatch.MAX_SIZE);
    }

    @Test
    void eachSubscriptionStartsAfresh() {
        Flux<O> flux = apply(Flux.fromIterable(inputs(5)));
        assertThat(texts(flux.collectList().block(WAIT))).isEqualTo(outputs(5));
        assertThat(texts(flux.collectList().block(WAIT))).isEqualTo(outputs(5));
    }

    @Test
    void whatIsHeldAtACancelIsDiscardedOnce() {
        ManualSource<I> source = new ManualSource<>();
        List<Object> discarded = new ArrayList<>();
        TestSubscriber<O> subscriber =
                TestSubscriber.builder().initialRequest(0).build();
        apply(source).doOnDiscard(Object.class, discarded::add).subscribe(subscriber);
        assumeTrue(operator(source) instanceof DrainOperator<?, ?>, "without a queue nothing is held");
        List<Object> held = new ArrayList<>();
        for (int i = 0; i < Math.min(2, source.requested.get()); i++) {
            I input = input(i);
            contents(input).forEach(held::add);
            source.next(input);
        }
        assertThat(held).isNotEmpty();
        subscriber.cancel();
        I late = input(2);
        contents(late).forEach(held::add);
        source.next(late);
        assertThat(discarded).containsExactlyElementsOf(held);
    }

    @Test
    void aSourceThatSendsMoreThanWasRequestedEndsTheStream() {
        ManualSource<I> source = new ManualSource<>();
        TestSubscriber<O> subscriber =
                TestSubscriber.builder().initialRequest(0).build();
        apply(source).subscribe(subscriber);
        assumeTrue(operator(source) instanceof DrainOperator<?, ?>, "without a queue nothing is held");
        int prefetch = source.requested.intValue();
        int sent = 0;
        while (source.cancels.get() == 0) {
            assertThat(sent).isLessThanOrEqualTo(4 * prefetch + 8);
            source.next(input(sent++));
        }
        subscriber.request(Long.MAX_VALUE);
        assertThat(subscriber.expectTerminalError())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("more than the " + prefetch);
    }
}
