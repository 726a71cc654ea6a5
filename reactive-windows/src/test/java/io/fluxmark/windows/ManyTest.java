package io.fluxmark.windows;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.test.subscriber.TestSubscriber;

/** Several results of one event, and functions that only look. */
class ManyTest {

    private static final int CASES =
            System.getProperty("fluxmark.tier", "small").equals("thorough") ? 5_000 : 200;
    private static final long SEED = 34_100;
    private static final WatermarkSpec SPEC = WatermarkSpec.ascending();

    private final TestLane lane = new TestLane();

    private static EventFlux<Integer> upTo(int count, int run) {
        return EventFlux.from(Flux.range(1, count), run).watermarksMillis(Integer::longValue, SPEC);
    }

    private static List<Integer> copies(int value, int many) {
        return Collections.nCopies(many, value);
    }

    private static String text(int value, long timestamp, long before, int sign) {
        return value + "@" + timestamp + "|" + before + (sign < 0 ? "-" : "");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 7, 256})
    void s34WhereNothingIsLeftTheWatermarkFlows(int run) {
        for (EventFlux<Integer> nothing : List.of(
                upTo(100, run).filter(value -> false),
                upTo(100, run).mapMany(value -> List.<Integer>of()),
                upTo(100, run).mapMany(value -> List.of(value)).filter(value -> false))) {
            List<StreamElement<Integer>> elements =
                    nothing.elements(() -> lane).collectList().block();
            assertThat(elements).doesNotHaveAnyElementsOfTypes(EventBatch.class);
            assertThat(elements).element(elements.size() - 2).isEqualTo(new Watermark<>(99));
        }
    }

    /** Any expansions and demand: each result has the time, the watermark and the sign of its event; runs are bounded. */
    @Test
    void anyExpansionAndDemandEqualAPlainLoop() {
        long results = 0;
        long longest = 0;
        for (int i = 0; i < CASES; i++) {
            Random random = new Random(SEED + i);
            int most = random.nextInt(4) == 0 ? 600 : 4;
            int announced = random.nextBoolean() ? 1 + random.nextInt(30) : LaneContext.ANY_RUN_SIZE;
            List<StreamElement<Integer>> input = new ArrayList<>();
            List<String> expected = new ArrayList<>();
            int value = 0;
            long watermark = Watermark.NONE;
            for (int r = 1 + random.nextInt(6); r > 0; r--) {
                EventBatchBuilder<Integer> run = EventBatch.builder();
                for (int e = 1 + random.nextInt(random.nextBoolean() ? 3 : 256); e > 0; e--) {
                    int sign = random.nextInt(8) == 0 ? -1 : 1;
                    run.add(++value, value * 2L, watermark, sign);
                    for (int copy = 0; copy < many(value, most); copy++) {
                        expected.add(text(value, value * 2L, watermark, sign));
                    }
                    watermark = random.nextBoolean() ? value * 2L - 1 : watermark;
                }
                input.add(run.build(watermark));
                expected.add("after " + watermark);
            }
            long demand = new long[] {1, 7, Long.MAX_VALUE}[random.nextInt(3)];
            List<String> got = new ArrayList<>();
            long forwarded = Watermark.NONE;
            for (StreamElement<Integer> element : run(input, most, announced, demand)) {
                if (element instanceof EventBatch<Integer> run) {
                    assertThat(run.size()).isLessThanOrEqualTo(Math.min(EventBatch.MAX_SIZE, announced));
                    longest = Math.max(longest, run.size());
                    results += run.size();
                    for (int e = 0; e < run.size(); e++) {
                        assertThat(run.watermarkBefore(e)).isGreaterThanOrEqualTo(forwarded);
                        forwarded = run.watermarkBefore(e);
                        got.add(text(run.value(e), run.timestamp(e), run.watermarkBefore(e), run.sign(e)));
                    }
                    assertThat(run.watermarkAfter()).isGreaterThanOrEqualTo(forwarded);
                    forwarded = run.watermarkAfter();
                } else {
                    forwarded = ((Watermark<Integer>) element).timestamp();
                }
            }
            assertThat(got)
                    .as("seed %d", SEED + i)
                    .isEqualTo(expected.stream()
                            .filter(text -> !text.startsWith("after"))
                            .toList());
            assertThat("after " + forwarded).isEqualTo(expected.get(expected.size() - 1));
        }
        System.out.printf("mapMany: %d cases, %d results, runs of up to %d, seed %d%n", CASES, results, longest, SEED);
        assertThat(longest).isEqualTo(EventBatch.MAX_SIZE);
    }

    private static int many(int value, int most) {
        return value * 31 % 7 == 0 ? value * 17 % most : value % 3;
    }

    private List<StreamElement<Integer>> run(List<StreamElement<Integer>> input, int most, int announced, long demand) {
        LaneContext shorter = announced == LaneContext.ANY_RUN_SIZE ? lane : AnnouncedLane.of(lane, announced);
        TestSubscriber<StreamElement<Integer>> subscriber =
                TestSubscriber.builder().initialRequest(0).build();
        Flux.fromIterable(input)
                .transform(Elements.mapMany((Integer value) -> copies(value, many(value, most)), shorter))
                .subscribe(subscriber);
        for (long requested = demand; !subscriber.isTerminated(); requested += demand) {
            subscriber.request(demand);
            assertThat((long) subscriber.getReceivedOnNext().size())
                    .isLessThanOrEqualTo(requested < 0 ? Long.MAX_VALUE : requested);
        }
        assertThat(subscriber.getProtocolErrors()).isEmpty();
        return subscriber.getReceivedOnNext();
    }

    @Test
    void resultsAreMadeAsTheyAreAskedFor() {
        AtomicInteger made = new AtomicInteger();
        TestSubscriber<Object> subscriber =
                TestSubscriber.builder().initialRequest(1).build();
        upTo(1, 1)
                .mapMany(value -> () -> IntStream.range(0, 1_000_000)
                        .peek(i -> made.incrementAndGet())
                        .iterator())
                .elements(() -> lane)
                .cast(Object.class)
                .subscribe(subscriber);
        assertThat(subscriber.getReceivedOnNext()).hasSize(1);
        assertThat(made.get()).isLessThanOrEqualTo(EventBatch.MAX_SIZE + 1);
        subscriber.cancel();
        assertThat(made.get()).isLessThanOrEqualTo(EventBatch.MAX_SIZE + 1);
    }

    @Test
    void withAPolicyAnEventOfWhichOneResultCantBeMadeIsLeftOutAsAWhole() {
        List<String> letters = new ArrayList<>();
        List<Integer> got = upTo(5, 256)
                .onFailure(FailurePolicy.deadLetterTo(letter -> letters.add(letter.operator() + " " + letter.event())))
                .mapMany(value -> () -> IntStream.range(0, 3)
                        .map(i -> {
                            if (value == 3 && i == 2) {
                                throw new IllegalStateException("the last of 3");
                            }
                            return value * 10 + i;
                        })
                        .iterator())
                .toFlux()
                .collectList()
                .block();
        assertThat(got).containsExactly(10, 11, 12, 20, 21, 22, 40, 41, 42, 50, 51, 52);
        assertThat(letters).containsExactly("map-many-1 3");
    }

    @Test
    void withAPolicyTheResultsOfAnEventAreBounded() {
        List<String> letters = new ArrayList<>();
        assertThat(upTo(2, 1)
                        .onFailure(FailurePolicy.deadLetterTo(
                                letter -> letters.add(letter.cause().getMessage())))
                        .mapMany(value -> copies(value, value == 1 ? Elements.MAX_RESULTS : Elements.MAX_RESULTS + 1))
                        .toFlux()
                        .count()
                        .block())
                .isEqualTo(Elements.MAX_RESULTS);
        assertThat(letters).singleElement().asString().startsWith("mapMany made more than 65536 results of one event");
    }

    @Test
    void resultsStandWhereTheirEventsStandInTheSourceAlsoBehindAFilter() {
        EventBatch<Integer> run = EventBatch.ofValues(5, 6, 9).withOffsets("orders", 2, Integer::longValue);
        EventBatch<Integer> spread = (EventBatch<Integer>) Flux.<StreamElement<Integer>>just(run)
                .transform(Elements.mapMany(value -> copies(value, value == 9 ? 1 : 2)))
                .blockFirst();
        assertThat(IntStream.range(0, spread.size())
                        .mapToObj(i -> spread.position(i).offset()))
                .containsExactly(5L, 5L, 6L, 6L, 9L);
        EventBatch<Integer> kept = (EventBatch<Integer>) spread.keep(new int[] {0, 1, 3, 4}, 4);
        assertThat(IntStream.range(0, kept.size())
                        .mapToObj(i -> kept.position(i).offset()))
                .as("a run of 4 from 5 to 9 that does not count through")
                .containsExactly(5L, 5L, 6L, 9L);
    }

    @Test
    void itWorksBeforeEventTimeToo() {
        assertThat(EventFlux.from(Flux.just("a b", "c"), 1)
                        .mapMany(line -> List.of(line.split(" ")))
                        .watermarksMillis(word -> word.charAt(0), SPEC)
                        .toFlux()
                        .collectList()
                        .block())
                .containsExactly("a", "b", "c");
    }

    @Test
    void peekLooksAtEachEventInOrderAndChangesNothing() {
        List<Integer> seen = new ArrayList<>();
        EventBatch<Integer> run = EventBatch.ofValues(3, 1, 2);
        assertThat(Flux.<StreamElement<Integer>>just(run)
                        .transform(Elements.peek(seen::add))
                        .blockFirst())
                .isSameAs(run);
        assertThat(seen).containsExactly(3, 1, 2);
    }

    @Test
    void whatPeekFailsOnIsAsThePolicySays() {
        List<String> letters = new ArrayList<>();
        assertThat(upTo(3, 1)
                        .onFailure(FailurePolicy.deadLetterTo(letter -> letters.add(letter.operator())))
                        .peek(value -> {
                            if (value == 2) {
                                throw new IllegalStateException("two");
                            }
                        })
                        .toFlux()
                        .collectList()
                        .block())
                .containsExactly(1, 3);
        assertThat(letters).containsExactly("peek-1");
    }
}
