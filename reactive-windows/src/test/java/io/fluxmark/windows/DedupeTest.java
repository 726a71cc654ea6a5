package io.fluxmark.windows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import reactor.core.Scannable;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;

/** Which of several events with one id passes, for how long that is remembered, and what is too late to be judged (S39). */
class DedupeTest {

    private static final Duration WAIT = Duration.ofSeconds(20);
    private static final Duration TEN = Duration.ofMillis(10);
    private static final KeyCodec<String> TEXTS = KeyCodec.tagged(String.class);

    private final TestLane lane = new TestLane();
    private final List<LateEvent<String>> side = new ArrayList<>();

    private static <T> StreamElement<T> event(T value, long time, long watermark) {
        return EventBatch.<T>builder().add(value, time, watermark).build(watermark);
    }

    private static StreamElement<String> event(String id, long time) {
        return event(id, time, Watermark.NONE);
    }

    private static StreamElement<String> watermark(long at) {
        return new Watermark<>(at);
    }

    private List<String> passing(
            Function<DedupeFlux<String, String>, KeyedFlux<String, String>> dedupe,
            Flux<StreamElement<String>> elements) {
        List<String> out = new ArrayList<>();
        dedupe.apply(EventFlux.fromElements(elements).keyBy(id -> id).deduping(TEN))
                .unkeyed()
                .elements(() -> lane)
                .doOnNext(element -> add(out, element))
                .blockLast(WAIT);
        return out;
    }

    private static void add(List<String> out, StreamElement<String> element) {
        if (element instanceof EventBatch<String> run) {
            for (int i = 0; i < run.size(); i++) {
                out.add(run.value(i) + "@" + run.timestamp(i));
            }
        }
    }

    private List<String> passing(List<StreamElement<String>> elements) {
        return passing(DedupeFlux::byKey, Flux.fromIterable(elements));
    }

    private Counters counts() {
        return lane.counters.get("dedupe-1").snapshot();
    }

    @Test
    void s39TheFirstSeenWinsAndIsRememberedUntilItsOwnTimeIsOver() {
        assertThat(passing(List.of(
                        event("x", 10),
                        event("x", 1),
                        event("x", 12),
                        watermark(19),
                        event("x", 20, 19),
                        watermark(20),
                        event("x", 25, 20))))
                .containsExactly("x@10", "x@25");
        assertThat(counts().get(Counter.INGESTED)).isEqualTo(5);
        assertThat(counts().accepted()).isEqualTo(2);
        assertThat(counts().get(Counter.DUPLICATES)).isEqualTo(3);
        assertThat(counts().sumHolds()).isTrue();
    }

    /** C104: neither the earlier event at 1 nor the one at 12 changes when the first one is forgotten. */
    @Test
    void c104AnEarlierDuplicateDoesNotShortenTheLife() {
        assertThat(passing(List.of(event("x", 10), event("x", 1), watermark(11), event("x", 12, 11))))
                .containsExactly("x@10");
        assertThat(counts().get(Counter.DUPLICATES)).isEqualTo(2);
    }

    @Test
    void s39AHotIdIsForgottenAllTheSame() {
        List<StreamElement<String>> hot = new ArrayList<>();
        for (long time = 0; time < 100; time += 4) {
            hot.add(event("x", time, time - 1));
        }
        assertThat(passing(DedupeFlux::byKey, Flux.fromIterable(hot)))
                .containsExactly("x@0", "x@12", "x@24", "x@36", "x@48", "x@60", "x@72", "x@84", "x@96");
    }

    /** Time-to-live 10, allowed lateness 100 behind it, W 50: without the rule x@5 would pass twice. */
    @Test
    void s39WhatCanNoLongerBeJudgedIsLate() {
        assertThat(passing(List.of(
                        event("x", 5),
                        watermark(50),
                        event("x", 5, 50),
                        event("x", 5, 50),
                        event("y", 40, 50),
                        event("z", 41, 50))))
                .containsExactly("x@5", "z@41");
        assertThat(counts().get(Counter.DROPPED)).isEqualTo(3);
        assertThat(counts().get(Counter.ON_TIME)).isEqualTo(1);
        assertThat(counts().get(Counter.LATE))
                .as("z, behind the watermark and judged")
                .isEqualTo(1);
        assertThat(counts().sumHolds()).isTrue();
    }

    @Test
    void s39WhatIsLateGoesToTheLateOutput() {
        assertThat(passing(
                        dedupe -> dedupe.lateTo(side::add).byKey(),
                        Flux.just(event("x", 5), watermark(50), event("x", 6, 50))))
                .containsExactly("x@5");
        assertThat(side).containsExactly(new LateEvent<>("x", 6, 50, List.of()));
        assertThat(counts().get(Counter.SIDE)).isEqualTo(1);
        assertThat(counts().get(Counter.DROPPED)).isZero();
        assertThat(counts().sumHolds()).isTrue();
    }

    @Test
    void theWatermarkWithinARunCounts() {
        EventBatch<String> run = EventBatch.<String>builder()
                .add("x", 10, Watermark.NONE)
                .add("x", 30, 19)
                .add("x", 30, 20)
                .build(29);
        assertThat(passing(List.of(run))).containsExactly("x@10", "x@30");
        assertThat(counts().get(Counter.DUPLICATES)).isEqualTo(1);
    }

    @Test
    void anIdOfItsOwnIsOneOfItsKey() {
        Flux<StreamElement<String>> input = Flux.just(
                event("a1", 0), event("b1", 0), event("a1", 1), event("b2", 1), event("a2", 2), event("b1", 3));
        List<String> out = new ArrayList<>();
        EventFlux.fromElements(input)
                .keyBy(text -> text.substring(0, 1))
                .dedupe(text -> text.substring(1), TEXTS, TEN)
                .process(ProcessTest.Function.of((text, context) -> context.emit(context.key() + text)))
                .elements(() -> lane)
                .doOnNext(element -> add(out, element))
                .blockLast(WAIT);
        assertThat(out).containsExactly("aa1@0", "bb1@0", "bb2@1", "aa2@2");
    }

    @Test
    void ofAllEventsWhateverTheirKey() {
        List<String> passed = EventFlux.fromElements(Flux.just(event("a1", 0), event("b1", 1), event("c2", 2)))
                .dedupe(text -> text.substring(1), TEXTS, TEN)
                .toFlux()
                .collectList()
                .block(WAIT);
        assertThat(passed).containsExactly("a1", "c2");
    }

    /** The ids of 10 s of event time, and of one place of the index, in which all are over before any is let go of. */
    @Test
    void c103NoMoreIdsAreHeldThanThoseOfTheTimeToLive() {
        int ids = 1_000_000;
        int perMilli = 10;
        long timeToLive = 10_000;
        List<Long> held = new ArrayList<>();
        AtomicLong passed = new AtomicLong();
        AtomicLong afterwards = new AtomicLong(-1);
        EventFlux.from(Flux.fromStream(() -> LongStream.range(0, ids).boxed()))
                .watermarksMillis(id -> id / perMilli, WatermarkSpec.ascending())
                .keyBy(id -> id)
                .dedupe(Duration.ofMillis(timeToLive))
                .unkeyed()
                .elements(() -> lane)
                .subscribe(new BaseSubscriber<StreamElement<Long>>() {
                    @Override
                    protected void hookOnNext(StreamElement<Long> element) {
                        passed.addAndGet(element instanceof EventBatch<Long> run ? run.size() : 0);
                        long entries = (Long) Objects.requireNonNull(
                                Scannable.from(upstream()).scanUnsafe(Scannable.Attr.LARGE_BUFFERED));
                        if (element instanceof Watermark<Long> end && end.timestamp() == Watermark.END) {
                            afterwards.set(entries);
                        } else {
                            held.add(entries);
                        }
                    }
                });
        long most = held.stream().mapToLong(Long::longValue).max().orElseThrow();
        System.out.printf(
                "dedupe, C103: %,d ids, %,d in a time-to-live of %,d ms, at most %,d held%n",
                ids, perMilli * timeToLive, timeToLive, most);
        assertThat(passed).hasValue(ids);
        assertThat(most).isBetween(perMilli * timeToLive, perMilli * (timeToLive + timeToLive / 8 + 2) + 256);
        assertThat(afterwards).hasValue(0);
        assertThat(lane.count(Counter.EXPIRED)).isEqualTo(ids);
    }

    private static KeyedFlux<String, WindowResult<String, Long>> corrected(Duration lateness) {
        return EventFlux.fromElements(Flux.just(event("x", 1)))
                .keyBy(id -> id)
                .window(WindowSpec.tumbling(TEN).allowedLateness(lateness))
                .aggregate(Aggregations.counting())
                .keyBy(WindowResult::key);
    }

    @Test
    void aStageBeforeThatTakesResultsBackIsRefusedAtAssembly() {
        assertThatThrownBy(() -> corrected(TEN).dedupe(TEN))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("takes results back")
                .hasMessageContaining("put the dedupe before that stage");
        corrected(Duration.ZERO).dedupe(TEN);
    }

    @Test
    void aRetractionThatReachesItEndsTheStream() {
        EventBatch<String> run = EventBatch.<String>builder()
                .add("x", 10, Watermark.NONE, 1)
                .add("x", 10, Watermark.NONE, -1)
                .build(Watermark.NONE);
        assertThatThrownBy(() -> passing(List.of(run)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("a retraction of x reached dedupe-1");
    }

    private static List<String> warnings(Duration timeToLive, Duration lateness) {
        try (CapturedLog log = new CapturedLog()) {
            EventFlux.fromElements(Flux.just(event("x", 1)))
                    .keyBy(id -> id)
                    .dedupe(timeToLive)
                    .window(WindowSpec.tumbling(TEN).allowedLateness(lateness))
                    .aggregate(Aggregations.counting());
            return log.lines.stream().filter(line -> line.startsWith("warn")).toList();
        }
    }

    @Test
    void s39AllowedLatenessBeyondTheTimeToLiveIsWarnedOf() {
        assertThat(warnings(TEN, TEN)).hasSize(1).first().asString().contains("more than 10 ms late", "time-to-live");
        assertThat(warnings(TEN, TEN.minusMillis(1))).isEmpty();
    }

    @Test
    void aTimeToLiveIsAtLeastAMillisecond() {
        KeyedFlux<String, String> keyed =
                EventFlux.fromElements(Flux.just(event("x", 1))).keyBy(id -> id);
        assertThatThrownBy(() -> keyed.dedupe(Duration.ofNanos(999_999)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("at least 1 ms but was PT0.000999999S");
    }

    @Test
    void whatTheIdFailsOnIsLeftOutWhereThatWasChosen() {
        List<String> letters = new ArrayList<>();
        List<String> out = new ArrayList<>();
        EventFlux.fromElements(Flux.just(event("a1", 0), event("b", 1), event("c1", 2), event("d2", 3)))
                .onFailure(FailurePolicy.deadLetterTo(
                        letter -> letters.add(letter.operator() + " " + letter.event() + "@" + letter.timestamp())))
                .dedupe(text -> text.substring(1, 2), TEXTS, TEN)
                .elements(() -> lane)
                .doOnNext(element -> add(out, element))
                .blockLast(WAIT);
        assertThat(out).containsExactly("a1@0", "d2@3");
        assertThat(letters).containsExactly("dedupe-1 b@1");
        assertThat(counts().get(Counter.FAILED)).isEqualTo(1);
        assertThat(counts().sumHolds()).isTrue();
    }

    /** S12 of the whole pipeline: what the dedupe has taken out belongs to the counts of the windows behind it. */
    @Test
    void s12TheOutcomesOfALaneAreThoseOfTheDedupeAndOfTheWindows() {
        EventFlux.fromElements(Flux.just(
                        event("x", 1),
                        event("x", 2),
                        watermark(9),
                        event("y", 3, 9),
                        watermark(30),
                        event("x", 5, 30),
                        event("z", 31, 30)))
                .keyBy(id -> id)
                .dedupe(TEN)
                .window(WindowSpec.tumbling(TEN))
                .aggregate(Aggregations.counting())
                .elements(() -> lane)
                .blockLast(WAIT);
        Map<String, Counters> counters = new HashMap<>();
        lane.counters.forEach((operator, live) -> counters.put(operator, live.snapshot()));
        Counters all = LaneCheckpoint.countsOf(counters);
        assertThat(counters.keySet()).containsExactlyInAnyOrder("dedupe-1", "window-2");
        assertThat(all.get(Counter.INGESTED)).isEqualTo(5);
        assertThat(all.accepted()).isEqualTo(2);
        assertThat(all.get(Counter.DUPLICATES)).isEqualTo(1);
        assertThat(all.get(Counter.DROPPED))
                .as("x@5 by the dedupe, y@3 by the window")
                .isEqualTo(2);
        assertThat(all.sumHolds()).isTrue();
        assertThat(LaneCheckpoint.countsOf(
                        Map.of("window-1", all, "dedupe-2", counters.get("dedupe-1"), "process-3", Counters.ZERO)))
                .as("what was before the window does not count")
                .isEqualTo(counters.get("dedupe-1").notAccepted());
    }
}
