package io.fluxmark.windows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.test.subscriber.TestSubscriber;

/** What becomes of events that functions fail on, where something else was chosen than the end of the stream. */
class FailurePolicyTest {

    private static final WindowSpec TEN = WindowSpec.tumbling(Duration.ofMillis(10));
    private static final WatermarkSpec SPEC = WatermarkSpec.ascending();

    private static EventFlux<Long> upTo(long count, int run) {
        return EventFlux.from(Flux.fromStream(() -> LongStream.range(0, count).boxed()), run)
                .watermarksMillis(Long::longValue, SPEC);
    }

    private static Map<String, Counters> counts(TestLane lane) {
        Map<String, Counters> counts = new TreeMap<>();
        lane.counters.forEach((operator, live) -> counts.put(operator, live.snapshot()));
        return counts;
    }

    private static <R> Function<Long, R> failingOn(int nth, Function<Long, R> function) {
        return value -> {
            if (value % nth == 0) {
                throw new IllegalArgumentException("bad " + value);
            }
            return function.apply(value);
        };
    }

    private static Map<String, Long> rows(Flux<WindowResult<String, Long>> results) {
        Map<String, Long> rows = new TreeMap<>();
        results.toIterable()
                .forEach(result -> rows.put(result.key() + result.window().start(), result.value()));
        return rows;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 256})
    void whatAMapAFilterAndAKeyFailOnIsLeftOutWhateverTheRuns(int run) {
        List<String> letters = new ArrayList<>();
        Map<String, Long> rows = rows(upTo(1_000, run)
                .onFailure(FailurePolicy.deadLetterTo(letter -> letters.add(letter.operator() + " " + letter.event()
                        + "@" + letter.timestamp() + " " + letter.cause().getMessage())))
                .map(failingOn(7, value -> value))
                .filter(failingOn(11, value -> value % 3 != 0)::apply)
                .keyBy(failingOn(13, value -> "k"))
                .window(WindowSpec.tumbling(Duration.ofMillis(100)))
                .aggregate(Aggregations.counting())
                .toFlux());

        List<String> expectedLetters = new ArrayList<>();
        Map<String, Long> expectedRows = new TreeMap<>();
        for (long i = 0; i < 1_000; i++) {
            String operator =
                    i % 7 == 0 ? "map-1" : i % 11 == 0 ? "filter-2" : i % 3 != 0 && i % 13 == 0 ? "key-3" : "";
            if (!operator.isEmpty()) {
                expectedLetters.add(operator + " " + i + "@" + i + " bad " + i);
            } else if (i % 3 != 0) {
                expectedRows.merge("k" + i / 100 * 100, 1L, Long::sum);
            }
        }
        assertThat(rows).isEqualTo(expectedRows);
        assertThat(letters).containsExactlyInAnyOrderElementsOf(expectedLetters);
        for (String operator : List.of("map-1", "filter-2", "key-3")) {
            assertThat(letters.stream().filter(letter -> letter.startsWith(operator)))
                    .as("in order")
                    .containsExactlyElementsOf(expectedLetters.stream()
                            .filter(letter -> letter.startsWith(operator))
                            .toList());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"map", "filter", "key"})
    void c73WhereAFunctionFailsAtRandomEveryEventIsProcessedOrADeadLetter(String where) {
        int count = 100_000;
        long seed = 73;
        Random random = new Random(seed);
        List<Object> letters = new ArrayList<>();
        AtomicReference<LiveCounters> counters = new AtomicReference<>();
        TestLane lane = new TestLane();
        Function<Long, Long> coin = value -> {
            if (random.nextInt(10) == 0) {
                throw new IllegalStateException("at random");
            }
            return value;
        };
        EventFlux<Long> guarded =
                upTo(count, 256).onFailure(FailurePolicy.deadLetterTo(letter -> letters.add(letter.event())));
        EventFlux<Long> passed =
                switch (where) {
                    case "map" -> guarded.map(coin);
                    case "filter" -> guarded.filter(value -> coin.apply(value) != null);
                    default -> guarded;
                };
        Function<Long, Long> key = where.equals("key") ? value -> coin.apply(value) % 7 : value -> value % 7;
        long processed = passed.keyBy(key)
                .window(TEN)
                .countersTo(counters::set)
                .aggregate(Aggregations.counting())
                .elements(() -> lane)
                .transform(EventTime.values())
                .reduce(0L, (sum, result) -> sum + result.value())
                .block(Duration.ofSeconds(30));
        assertThat(letters).doesNotHaveDuplicates().hasSizeBetween(count / 20, count / 5);
        assertThat(processed + letters.size()).isEqualTo(count);
        Counters counts = LaneCheckpoint.countsOf(counts(lane));
        assertThat(counts.get(Counter.INGESTED)).isEqualTo(count);
        assertThat(counts.get(Counter.FAILED)).isEqualTo(letters.size());
        assertThat(counts.accepted()).isEqualTo(processed);
        assertThat(counts.sumHolds()).isTrue();
        System.out.printf("failing %s: %d events, %d dead letters, seed %d%n", where, count, letters.size(), seed);
    }

    @Test
    void skipLeavesOutAndFailEndsTheStreamAndTheLastWordCounts() {
        assertThat(upTo(20, 256)
                        .onFailure(FailurePolicy.skip())
                        .map(failingOn(2, value -> value))
                        .toFlux()
                        .collectList()
                        .block())
                .containsExactly(1L, 3L, 5L, 7L, 9L, 11L, 13L, 15L, 17L, 19L);
        TestSubscriber<Long> subscriber = TestSubscriber.create();
        upTo(20, 1)
                .onFailure(FailurePolicy.skip())
                .map(failingOn(2, value -> value))
                .onFailure(FailurePolicy.fail())
                .map(failingOn(3, value -> value))
                .toFlux()
                .subscribe(subscriber);
        assertThat(subscriber.getReceivedOnNext()).containsExactly(1L);
        assertThat(subscriber.expectTerminalError()).hasMessage("bad 3");
    }

    @Test
    void aNullOfAMapperOrAKeyIsAFailureOfItAndSoIsAGapThatThrows() {
        List<String> letters = new ArrayList<>();
        FailurePolicy policy = FailurePolicy.deadLetterTo(
                letter -> letters.add(letter.event() + " " + letter.cause().getMessage()));
        Map<String, Long> rows = rows(upTo(4, 256)
                .onFailure(policy)
                .map(value -> value == 1 ? null : value)
                .keyBy(value -> value == 2 ? null : "k")
                .window(WindowSpec.session(Duration.ofMillis(5)), value -> {
                    if (value == 3) {
                        throw new IllegalStateException("no gap");
                    }
                    return 5;
                })
                .aggregate(Aggregations.counting())
                .toFlux());
        assertThat(rows).isEqualTo(Map.of("k0", 1L));
        assertThat(letters)
                .containsExactly("1 the mapper returned null", "2 the key function returned null", "3 no gap");
    }

    @Test
    void aWindowOverEventsWithTheirKeysSaysWhatOneWithoutAPolicySaysLateEventsAndAll() {
        List<Long> values = new ArrayList<>();
        Random random = new Random(5);
        for (long i = 0; i < 2_000; i++) {
            values.add(Math.max(0, i - (random.nextInt(8) == 0 ? random.nextInt(80) : 0)));
        }
        for (WindowSpec windows : List.of(
                TEN.allowedLateness(Duration.ofMillis(20)),
                WindowSpec.sliding(Duration.ofMillis(20), Duration.ofMillis(5)),
                WindowSpec.session(Duration.ofMillis(3)).allowedLateness(Duration.ofMillis(10)))) {
            List<List<Object>> late = List.of(new ArrayList<>(), new ArrayList<>());
            List<List<WindowResult<Long, Long>>> results = new ArrayList<>();
            for (FailurePolicy policy : List.of(FailurePolicy.fail(), FailurePolicy.skip())) {
                results.add(EventFlux.from(Flux.fromIterable(values))
                        .watermarksMillis(Long::longValue, SPEC)
                        .onFailure(policy)
                        .keyBy(value -> value % 5)
                        .window(windows)
                        .lateTo(event -> late.get(results.size()).add(event))
                        .aggregate(Aggregations.summingLong(value -> value))
                        .toFlux()
                        .collectList()
                        .block());
            }
            assertThat(results.get(1))
                    .as("%s", windows)
                    .isEqualTo(results.get(0))
                    .isNotEmpty();
            assertThat(late.get(1)).isEqualTo(late.get(0)).isNotEmpty();
        }
    }

    @Test
    void anErrorEndsTheStreamWhateverThePolicyAndSoDoesAnOutputThatFails() {
        TestSubscriber<Long> error = TestSubscriber.create();
        upTo(20, 256)
                .onFailure(FailurePolicy.skip())
                .<Long>map(value -> {
                    throw new AssertionError("an error");
                })
                .toFlux()
                .subscribe(error);
        assertThat(error.expectTerminalError())
                .isInstanceOf(AssertionError.class)
                .hasMessage("an error");
        TestSubscriber<Long> output = TestSubscriber.create();
        upTo(20, 256)
                .onFailure(FailurePolicy.deadLetterTo(letter -> {
                    throw new IllegalStateException("no room for letters");
                }))
                .map(failingOn(7, value -> value))
                .toFlux()
                .subscribe(output);
        assertThat(output.expectTerminalError())
                .hasMessage("no room for letters")
                .satisfies(thrown -> assertThat(thrown.getSuppressed())
                        .extracting(Throwable::getMessage)
                        .anyMatch(message -> message.startsWith("failed on the event 0 at 0 ms")));
    }

    @Test
    void resultsThatAFunctionFailsOnAreCountedApartFromEvents() {
        TestLane lane = new TestLane();
        List<Long> passed = upTo(100, 256)
                .keyBy(value -> "k")
                .window(TEN)
                .aggregate(Aggregations.counting())
                .onFailure(FailurePolicy.skip())
                .map(result -> {
                    if (result.window().start() == 30) {
                        throw new IllegalStateException("not this one");
                    }
                    return result.value();
                })
                .elements(() -> lane)
                .transform(EventTime.values())
                .collectList()
                .block();
        assertThat(passed).hasSize(9);
        assertThat(lane.counters.get("map-2").snapshot().get(Counter.FAILED_RESULTS))
                .isOne();
        Counters counts = LaneCheckpoint.countsOf(counts(lane));
        assertThat(counts.get(Counter.FAILED)).isZero();
        assertThat(counts.get(Counter.INGESTED)).isEqualTo(100);
        assertThat(counts.sumHolds()).isTrue();
    }

    @Test
    void behindAStageThatTakesResultsBackNothingCanBeLeftOut() {
        EventFlux<WindowResult<String, Long>> corrected = upTo(10, 1)
                .keyBy(value -> "k")
                .window(TEN.allowedLateness(Duration.ofMillis(10)))
                .aggregate(Aggregations.counting())
                .onFailure(FailurePolicy.skip());
        assertThatThrownBy(() -> corrected.map(WindowResult::value))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("FailurePolicy.fail()");
        assertThatThrownBy(() -> corrected.filter(result -> true)).isInstanceOf(IllegalStateException.class);
        assertThat(corrected
                        .onFailure(FailurePolicy.fail())
                        .map(WindowResult::value)
                        .toFlux()
                        .collectList()
                        .block())
                .containsExactly(10L);
    }

    @Test
    void countsAreCommittedAndGoOnAfterARestart() {
        TestLane lane = new TestLane();
        EventBatch<Long> run = EventBatch.ofValues(0L, 1L, 2L, 3L);
        assertThat(skipped(lane, List.of(run, lane.barrier(), run))).isEqualTo(4);
        TestLane restarted = lane.restarted();
        assertThat(skipped(restarted, List.of(run)))
                .as("from the two at the barrier on")
                .isEqualTo(4);
    }

    private static long skipped(TestLane lane, List<StreamElement<Long>> elements) {
        EventFlux.fromElements(Flux.fromIterable(elements))
                .onFailure(FailurePolicy.skip())
                .map(failingOn(2, value -> value))
                .elements(() -> lane)
                .blockLast();
        return lane.count(Counter.FAILED);
    }

    @Test
    void anEventBeforeThereIsTimeHasNoneAndItsPositionIsToldWhereItIsKnown() {
        List<FunctionFailure> failures = new ArrayList<>();
        // Of ten records two are missing; one has no time; every third is filtered out.
        EventBatch<Long> run = EventBatch.ofValues(100L, 101L, 103L, 104L, 105L, 106L, 108L, 109L)
                .withOffsets("numbers", 3, value -> value);
        FailurePolicy policy = FailurePolicy.deadLetterTo(failures::add);
        EventFlux.fromElements(Flux.<StreamElement<Long>>just(run))
                .onFailure(policy)
                .map(failingOn(53, value -> value))
                .watermarks(value -> value == 101 ? Long.MAX_VALUE : value, SPEC, invalid -> {})
                .filter(value -> value % 3 != 0)
                .map(failingOn(2, value -> value))
                .keyBy(failingOn(5, value -> "k"))
                .window(TEN)
                .aggregate(Aggregations.counting())
                .toFlux()
                .blockLast();
        assertThat(failures)
                .extracting(failure -> failure.operator() + " " + failure.event() + " " + failure.timestamp() + " "
                        + failure.position().offset())
                .containsExactly(
                        "map-1 106 " + FunctionFailure.NO_TIME + " 106", "map-3 100 100 100", "map-3 104 104 104");
        assertThat(failures).extracting(FunctionFailure::position).allSatisfy(position -> {
            assertThat(position.source()).isEqualTo("numbers");
            assertThat(position.partition()).isEqualTo(3);
        });
    }

    @Test
    void aRunKeepsWhatItsEventsHadWhereSomeAreLeftOut() {
        EventBatchBuilder<Long> builder = EventBatch.builder();
        for (long i = 0; i < 10; i++) {
            builder.add(i, i * 10, i < 5 ? -1 : 3, i % 4 == 0 ? -1 : 1);
        }
        EventBatch<Long> run = builder.build(7).withOffsets("numbers", 0, value -> 2 * value);
        StreamElement<Long> some = EventFlux.fromElements(Flux.<StreamElement<Long>>just(run))
                .onFailure(FailurePolicy.skip())
                .map(failingOn(3, value -> value))
                .elements(LaneContext::local)
                .blockFirst();
        EventBatch<Long> left = (EventBatch<Long>) some;
        assertThat(left.size()).isEqualTo(6);
        for (int i = 0; i < left.size(); i++) {
            long value = left.value(i);
            assertThat(left.timestamp(i)).isEqualTo(value * 10);
            assertThat(left.watermarkBefore(i)).isEqualTo(value < 5 ? -1 : 3);
            assertThat(left.sign(i)).isEqualTo(value % 4 == 0 ? -1 : 1);
            assertThat(left.position(i)).isEqualTo(new EventPosition("numbers", 0, 2 * value));
        }
        assertThat(left.watermarkAfter()).isEqualTo(7);
    }
}
