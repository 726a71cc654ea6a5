package io.fluxmark.windows;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.test.subscriber.TestSubscriber;

/**
 * Calls with random latencies, results and failures, among watermarks, barriers and idleness, against a plain loop: order is
 * kept, nothing passes a call, no more are under way than may be, and a cancel leaves none.
 */
class AsyncMapPropertiesTest {

    private static final boolean THOROUGH =
            System.getProperty("fluxmark.tier", "small").equals("thorough");
    private static final int CASES = THOROUGH ? 5_000 : 300;
    private static final int THREADED = THOROUGH ? 2_000 : 60;
    private static final long SEED = 77_350;
    private static final int[] RUN_SIZES = {1, 2, 7, 256};
    private static final Duration WAIT = Duration.ofSeconds(30);

    private long events;
    private long failures;
    private long cancels;

    /** One case: its elements, and how its function answers. */
    private final class Case {

        final Random random;
        final TestLane lane = new TestLane();
        final List<StreamElement<Integer>> elements = new ArrayList<>();
        final AtomicInteger underWay = new AtomicInteger();
        final List<String> letters = new ArrayList<>();
        final int concurrency;
        final int badEvery;
        final boolean guarded;
        final AtomicInteger mostUnderWay = new AtomicInteger();

        Case(long seed, boolean alwaysGuarded) {
            random = new Random(seed);
            concurrency = 1 + random.nextInt(random.nextBoolean() ? 4 : 40);
            badEvery = random.nextInt(2) == 0 ? 5 + random.nextInt(200) : 0;
            guarded = random.nextBoolean() || alwaysGuarded;
            int runSize = RUN_SIZES[random.nextInt(RUN_SIZES.length)];
            int value = 0;
            long watermark = Watermark.NONE;
            for (int i = 3 + random.nextInt(runSize == 256 ? 4 : 20); i > 0; i--) {
                int kind = random.nextInt(6);
                if (kind == 0) {
                    watermark = Math.max(watermark, value * 10L - 5);
                    elements.add(new Watermark<>(watermark));
                } else if (kind == 1) {
                    elements.add(lane.barrier());
                } else if (kind == 2) {
                    elements.add(new Idle<>(true));
                } else {
                    EventBatchBuilder<Integer> run = EventBatch.builder();
                    int size = random.nextInt(4) == 0 ? 1 + random.nextInt(runSize) : runSize;
                    for (int e = 0; e < size; e++) {
                        value++;
                        run.add(value, value * 10L, watermark, random.nextInt(10) == 0 ? -1 : 1);
                        watermark = random.nextBoolean() ? value * 10L - 5 : watermark;
                    }
                    elements.add(run.build(watermark));
                }
            }
            events += value;
        }

        boolean isBad(int value) {
            return badEvery > 0 && value % badEvery == badEvery - 1;
        }

        @Nullable
        Integer answer(int value) {
            return value % 7 == 3 ? null : value + 1_000_000;
        }

        Mono<Integer> call(int value, Mono<?> latency) {
            mostUnderWay.accumulateAndGet(underWay.incrementAndGet(), Math::max);
            Mono<Integer> answered = latency.then(Mono.defer(() -> isBad(value)
                    ? Mono.<Integer>error(new IllegalStateException("bad " + value))
                    : Mono.justOrEmpty(answer(value))));
            return answered.doOnTerminate(underWay::decrementAndGet).doOnCancel(underWay::decrementAndGet);
        }

        EventFlux<Integer> flux(Flux<StreamElement<Integer>> source, Function<Integer, Mono<Integer>> function) {
            EventFlux<Integer> before = EventFlux.fromElements(source);
            if (guarded) {
                before = before.onFailure(
                        FailurePolicy.deadLetterTo(letter -> letters.add(letter.operator() + " " + letter.event())));
            }
            return before.mapAsync(concurrency, function);
        }

        /** What comes out, element by element, up to the first failure where that is the end. */
        List<String> expected() {
            List<String> expected = new ArrayList<>();
            for (StreamElement<Integer> element : elements) {
                if (!(element instanceof EventBatch<Integer> run)) {
                    expected.add(element.toString());
                    continue;
                }
                List<String> kept = new ArrayList<>();
                for (int i = 0; i < run.size(); i++) {
                    int value = run.value(i);
                    if (isBad(value) && !guarded) {
                        return expected;
                    }
                    Integer result = isBad(value) ? null : answer(value);
                    if (result != null) {
                        kept.add(text(result, run.timestamp(i), run.watermarkBefore(i), run.sign(i)));
                    }
                }
                expected.add(
                        kept.isEmpty()
                                ? new Watermark<Integer>(run.watermarkAfter()).toString()
                                : kept + " " + run.watermarkAfter());
            }
            return expected;
        }

        boolean fails() {
            return !guarded && values().stream().anyMatch(this::isBad);
        }

        List<Integer> values() {
            List<Integer> values = new ArrayList<>();
            for (StreamElement<Integer> element : elements) {
                if (element instanceof EventBatch<Integer> run) {
                    for (int i = 0; i < run.size(); i++) {
                        values.add(run.value(i));
                    }
                }
            }
            return values;
        }

        List<String> expectedLetters() {
            return guarded
                    ? values().stream()
                            .filter(this::isBad)
                            .map(value -> "map-async-1 " + value)
                            .toList()
                    : List.of();
        }
    }

    private static String text(int value, long timestamp, long before, int sign) {
        return value + "@" + timestamp + "|" + before + (sign < 0 ? "-" : "");
    }

    private static String text(StreamElement<Integer> element) {
        if (!(element instanceof EventBatch<Integer> run)) {
            return element.toString();
        }
        List<String> values = new ArrayList<>();
        for (int i = 0; i < run.size(); i++) {
            values.add(text(run.value(i), run.timestamp(i), run.watermarkBefore(i), run.sign(i)));
        }
        return values + " " + run.watermarkAfter();
    }

    private static List<String> texts(List<StreamElement<Integer>> elements) {
        return elements.stream().map(AsyncMapPropertiesTest::text).toList();
    }

    @Test
    void anyLatenciesFailuresAndDemandEqualAPlainLoop() {
        for (int i = 0; i < CASES; i++) {
            inVirtualTime(SEED + i);
        }
        System.out.printf(
                "mapAsync in virtual time: %d cases, %d events, %d failures, %d cancels, seed %d%n",
                CASES, events, failures, cancels, SEED);
        assertThat(failures).isPositive();
        assertThat(cancels).isPositive();
    }

    private void inVirtualTime(long seed) {
        Case under = new Case(seed, false);
        Random random = under.random;
        int longest = 1 + random.nextInt(50);
        TestSubscriber<StreamElement<Integer>> subscriber =
                TestSubscriber.builder().initialRequest(0).build();
        under.flux(
                        Flux.fromIterable(under.elements),
                        value -> under.call(
                                value,
                                random.nextInt(4) == 0
                                        ? Mono.empty()
                                        : Mono.delay(Duration.ofMillis(1 + random.nextInt(longest)), under.lane.clock)))
                .elements(() -> under.lane)
                .doOnNext(element -> {
                    if (!(element instanceof EventBatch<?>)) {
                        assertThat(under.underWay)
                                .as("calls that a control element has passed")
                                .hasValue(0);
                    }
                })
                .subscribe(subscriber);
        long demand = new long[] {1, 7, Long.MAX_VALUE}[random.nextInt(3)];
        int until = random.nextInt(4) == 0 ? random.nextInt(40) : Integer.MAX_VALUE;
        for (int turn = 0; !subscriber.isTerminated(); turn++) {
            if (turn == until) {
                subscriber.cancel();
                cancels++;
                break;
            }
            assertThat(turn).as("turns without an end, seed %d", seed).isLessThan(1_000_000);
            if (random.nextBoolean()) {
                subscriber.request(demand);
            } else {
                under.lane.clock.advanceTimeBy(Duration.ofMillis(random.nextInt(20)));
            }
            assertThat(under.underWay.get()).isLessThanOrEqualTo(under.concurrency);
        }
        List<String> got = texts(subscriber.getReceivedOnNext());
        List<String> expected = under.expected();
        if (subscriber.isTerminated() && !under.fails()) {
            assertThat(got).as("seed %d", seed).isEqualTo(expected);
            assertThat(under.letters).isEqualTo(under.expectedLetters());
        } else {
            assertThat(got).as("seed %d", seed).isEqualTo(expected.subList(0, got.size()));
        }
        if (subscriber.isTerminatedError()) {
            assertThat(under.fails()).isTrue();
            assertThat(got).isEqualTo(expected);
            assertThat(subscriber.expectTerminalError()).hasMessageStartingWith("bad ");
            failures++;
        }
        assertThat(under.underWay).as("calls that are left, seed %d", seed).hasValue(0);
        assertThat(under.mostUnderWay.get()).isLessThanOrEqualTo(under.concurrency);
        assertThat(subscriber.getProtocolErrors()).isEmpty();
    }

    @Test
    void onManyThreadsItIsTheSame() {
        for (int i = 0; i < THREADED; i++) {
            onThreads(SEED + i);
        }
        System.out.printf("mapAsync on threads: %d cases, %d events, seed %d%n", THREADED, events, SEED);
    }

    private void onThreads(long seed) {
        Case under = new Case(seed, true);
        Random random = under.random;
        List<StreamElement<Integer>> got = under.flux(
                        Flux.fromIterable(under.elements).publishOn(Schedulers.parallel(), 1 + random.nextInt(3)),
                        value -> under.call(
                                value, Mono.fromRunnable(Thread::onSpinWait).subscribeOn(Schedulers.parallel())))
                .elements()
                .publishOn(Schedulers.parallel(), 1 + random.nextInt(8))
                .collectList()
                .block(WAIT);
        assertThat(texts(got)).as("seed %d", seed).isEqualTo(under.expected());
        assertThat(under.letters).isEqualTo(under.expectedLetters());
        assertThat(under.mostUnderWay.get()).isLessThanOrEqualTo(under.concurrency);
    }
}
