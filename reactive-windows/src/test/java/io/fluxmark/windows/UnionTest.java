package io.fluxmark.windows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.Fuseable;
import reactor.core.Scannable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Hooks;
import reactor.core.scheduler.Schedulers;
import reactor.test.subscriber.TestSubscriber;

/** Streams with watermarks of their own, as one. */
class UnionTest {

    private static final int CASES =
            System.getProperty("fluxmark.tier", "small").equals("thorough") ? 5_000 : 200;
    private static final long SEED = 25_300;
    private static final WatermarkSpec SPEC = WatermarkSpec.ascending();

    private final List<ManualSource<StreamElement<Long>>> streams = List.of(new ManualSource<>(), new ManualSource<>());
    private final TestLane lane = new TestLane();

    @AfterEach
    void resetHooks() {
        Hooks.resetOnErrorDropped();
    }

    private static <T> TestSubscriber<T> subscribe(Flux<T> flux, long demand) {
        TestSubscriber<T> subscriber =
                TestSubscriber.builder().initialRequest(demand).build();
        flux.subscribe(subscriber);
        return subscriber;
    }

    private TestSubscriber<StreamElement<Long>> open() {
        return subscribe(Elements.union(streams), Long.MAX_VALUE);
    }

    private void send(int stream, StreamElement<Long> element) {
        streams.get(stream).next(element);
    }

    private static EventBatch<Long> run(long before, long after, long... times) {
        EventBatchBuilder<Long> run = EventBatch.builder();
        for (long time : times) {
            run.add(time, time, before);
        }
        return run.build(after);
    }

    private static String text(long watermark) {
        return watermark == Watermark.NONE ? "none" : watermark == Watermark.END ? "end" : "" + watermark;
    }

    private static List<String> seen(TestSubscriber<StreamElement<Long>> subscriber) {
        List<String> seen = new ArrayList<>();
        for (StreamElement<Long> element : subscriber.getReceivedOnNext()) {
            if (element instanceof EventBatch<Long> run) {
                IntStream.range(0, run.size())
                        .forEach(i -> seen.add(
                                (run.sign(i) < 0 ? "-" : "") + run.value(i) + "|" + text(run.watermarkBefore(i))));
                seen.add(">" + text(run.watermarkAfter()));
            } else if (element instanceof Watermark<Long> watermark) {
                seen.add("W" + text(watermark.timestamp()) + (watermark.byTimeout() ? "!" : ""));
            } else if (element instanceof Idle<Long> idle) {
                seen.add(idle.idle() ? "idle" : "active");
            } else {
                seen.add("barrier");
            }
        }
        return seen;
    }

    @Test
    void theEarliestAtHandComesFirstWithTheSmallestWatermarkBeforeIt() {
        EventFlux<Long> first = EventFlux.from(Flux.just(10L, 20L, 30L)).watermarksMillis(Long::longValue, SPEC);
        EventFlux<Long> second = EventFlux.from(Flux.just(5L, 20L)).watermarksMillis(Long::longValue, SPEC);
        TestSubscriber<StreamElement<Long>> subscriber =
                subscribe(first.union(second).elements(() -> lane), 100);
        assertThat(seen(subscriber)).containsExactly("5|none", "10|none", "20|4", "20|4", "30|19", ">end");
        assertThat(subscriber.isTerminatedComplete()).isTrue();
    }

    @Test
    void s25AStreamWithoutAWatermarkHoldsAndIsNotWaitedFor() {
        TestSubscriber<StreamElement<Long>> subscriber = open();
        send(0, run(90, 94, 100));
        send(0, new Watermark<>(120));
        assertThat(seen(subscriber)).containsExactly("100|none", ">none");
        send(1, run(Watermark.NONE, 34, 40));
        assertThat(seen(subscriber)).endsWith("40|none", ">34");
        send(1, new Watermark<>(200));
        assertThat(seen(subscriber)).endsWith("W120");
    }

    @Test
    void s27s29s30IdleStreamsHoldNothingAndAllIdleTheLargestOfTheirs() {
        TestSubscriber<StreamElement<Long>> subscriber = open();
        send(0, new Watermark<>(94));
        send(1, new Watermark<>(34));
        send(1, new Idle<>(true));
        assertThat(seen(subscriber)).containsExactly("W34", "W94!");
        send(1, new Idle<>(false));
        send(1, run(34, 44, 50));
        send(0, new Watermark<>(114));
        assertThat(seen(subscriber))
                .as("who returns is judged by all, and holds")
                .endsWith("50|94", ">94");
        send(1, new Watermark<>(124));
        assertThat(seen(subscriber)).endsWith("W114");
        send(0, new Idle<>(true));
        assertThat(seen(subscriber)).endsWith("W124!");
        send(1, new Idle<>(true));
        assertThat(seen(subscriber)).endsWith("W124!", "idle");
        send(0, run(114, 130, 131));
        assertThat(seen(subscriber)).endsWith("idle", "active", "131|124", ">130");
    }

    @Test
    void s31s33AStreamThatEndsHoldsNothingAndTheEndIsThatOfAll() {
        TestSubscriber<StreamElement<Long>> subscriber = open();
        send(0, new Watermark<>(10));
        send(1, new Watermark<>(20));
        send(0, new Watermark<>(Watermark.END));
        assertThat(seen(subscriber)).containsExactly("W10", "W20");
        streams.get(0).complete();
        assertThat(seen(subscriber)).hasSize(2);
        assertThat(subscriber.isTerminated()).isFalse();
        streams.get(1).complete();
        assertThat(seen(subscriber)).endsWith("Wend");
        assertThat(subscriber.isTerminatedComplete()).isTrue();
    }

    /** Of two sessions that an event has joined: the new one ends later than what the other stream has. */
    @Test
    void aCorrectionStaysTogether() {
        StreamElement<Long> joined = EventBatch.<Long>builder()
                .add(7L, 9, 0, -1)
                .add(8L, 29, 0, -1)
                .add(15L, 39, 0, 1)
                .build(0);
        for (List<StreamElement<Long>> each :
                List.of(List.of(run(0, 0, 12, 35), joined), List.of(joined, run(0, 0, 12, 35)))) {
            TestSubscriber<StreamElement<Long>> subscriber =
                    subscribe(Elements.union(List.of(Flux.just(each.get(0)), Flux.just(each.get(1)))), 100);
            assertThat(seen(subscriber)).startsWith("-7|0", "-8|0", "15|0", "12|0", "35|0");
        }
    }

    @Test
    void aBarrierComesOnceAllHaveBroughtItAndNothingPassesIt() {
        CheckpointBarrier<Long> once = lane.barrier();
        CheckpointBarrier<Long> left =
                new CheckpointBarrier<>(once.transaction(), List.of(new SourcePosition("a", 0, 5)), false);
        CheckpointBarrier<Long> right =
                new CheckpointBarrier<>(once.transaction(), List.of(new SourcePosition("b", 0, 7)), false);
        TestSubscriber<StreamElement<Long>> subscriber = open();
        send(0, left);
        send(0, run(0, 0, 1));
        send(1, run(0, 0, 2));
        assertThat(seen(subscriber)).containsExactly("2|none", ">none");
        send(1, right);
        assertThat(seen(subscriber)).containsExactly("2|none", ">none", "barrier", "1|0", ">0");
        CheckpointBarrier<Long> passed =
                (CheckpointBarrier<Long>) subscriber.getReceivedOnNext().get(1);
        assertThat(passed.positions()).containsExactly(new SourcePosition("a", 0, 5), new SourcePosition("b", 0, 7));
        assertThat(passed.transaction()).isSameAs(once.transaction());

        send(0, lane.barrier());
        send(1, lane.barrier());
        assertThat(subscriber.expectTerminalError())
                .hasMessageContaining("barriers of different transactions, 2 and 3");
    }

    @Test
    void anErrorOfOneComesBehindWhatCameBeforeAndFiresNothing() {
        TestSubscriber<StreamElement<Long>> subscriber = subscribe(Elements.union(streams), 1);
        send(0, run(0, 0, 1));
        send(1, run(0, 5, 3));
        streams.get(0).complete();
        IllegalStateException failure = new IllegalStateException("stream 1");
        streams.get(1).fail(failure);
        assertThat(subscriber.isTerminated()).isFalse();
        subscriber.request(10);
        assertThat(seen(subscriber)).doesNotContain("Wend", ">end").contains("3|0");
        assertThat(subscriber.expectTerminalError()).isSameAs(failure);
    }

    @Test
    void aCancelCancelsAllAndDiscardsWhatWaits() {
        List<Object> discarded = new ArrayList<>();
        TestSubscriber<StreamElement<Long>> subscriber =
                subscribe(Elements.union(streams).doOnDiscard(Long.class, discarded::add), 0);
        send(0, run(0, 0, 1, 2));
        send(1, run(0, 0, 3));
        subscriber.cancel();
        send(1, run(0, 0, 4));
        assertThat(streams).allSatisfy(stream -> assertThat(stream.cancels).hasValue(1));
        assertThat(discarded).containsExactly(1L, 2L, 3L, 4L);
    }

    @Test
    void noMoreIsRequestedAheadThanDeclared() {
        TestSubscriber<StreamElement<Long>> subscriber = subscribe(Elements.union(streams), 0);
        assertThat(streams).allSatisfy(stream -> assertThat(stream.requested).hasValue(Elements.UNION_PREFETCH));
        send(0, run(0, 0, 1));
        assertThat(streams.get(0).requested).hasValue(Elements.UNION_PREFETCH);
        subscriber.request(1);
        send(0, run(0, 0, 2));
        subscriber.request(1);
        assertThat(streams.get(0).requested).hasValue(2 * Elements.UNION_PREFETCH);
    }

    @Test
    void itCanBeScannedHasTheContextAndOffersNoFusion() {
        Flux<StreamElement<Long>> union = Elements.union(streams);
        assertThat(union).isNotInstanceOf(Fuseable.class);
        assertThat(Scannable.from(union).name()).isEqualTo("union");
        assertThat(Scannable.from(union).scan(Scannable.Attr.PREFETCH)).isEqualTo(Elements.UNION_PREFETCH);
        TestSubscriber<StreamElement<Long>> subscriber = TestSubscriber.create();
        union.contextWrite(context -> context.put("who", "me")).subscribe(subscriber);
        assertThat(streams).allSatisfy(stream -> assertThat(stream.context().<String>get("who"))
                .isEqualTo("me"));
        Scannable operator = Scannable.from(streams.get(0).subscriber()).scan(Scannable.Attr.ACTUAL);
        assertThat(operator.inners()).hasSize(2).allSatisfy(inner -> assertThat(inner.scan(Scannable.Attr.ACTUAL))
                .isSameAs(operator));
        send(0, lane.barrier());
        assertThat(operator.scan(Scannable.Attr.BUFFERED)).isEqualTo(1);
        streams.get(0).complete();
        streams.get(1).complete();
        assertThat(operator.scan(Scannable.Attr.TERMINATED)).isTrue();
        assertThat(seen(subscriber)).containsExactly("barrier", "Wend");
    }

    /** Whatever the disorder within the streams, windows over the union are those over all events. */
    @Test
    void windowsOverAnyUnionEqualBatch() {
        long events = 0;
        for (int i = 0; i < CASES; i++) {
            Random random = new Random(SEED + i);
            List<Long> all = new ArrayList<>();
            List<EventFlux<Long>> parts = new ArrayList<>();
            for (int s = 2 + random.nextInt(3); s > 0; s--) {
                List<Long> times = new ArrayList<>();
                for (int e = random.nextInt(150); e > 0; e--) {
                    times.add(Math.max(0, times.size() * 3L + random.nextInt(20)));
                }
                all.addAll(times);
                Flux<Long> source = Flux.fromIterable(times);
                parts.add(EventFlux.from(
                                random.nextBoolean() ? source : source.publishOn(Schedulers.parallel(), 4),
                                1 + random.nextInt(9))
                        .watermarksMillis(Long::longValue, WatermarkSpec.boundedOutOfOrderness(Duration.ofMillis(20)))
                        .filter(time -> time % 5 != 0));
            }
            events += all.size();
            EventFlux<Long> union = parts.get(0);
            for (EventFlux<Long> part : parts.subList(1, parts.size())) {
                union = union.union(part);
            }
            List<Long> kept = all.stream().filter(time -> time % 5 != 0).toList();
            WindowSpec ten = WindowSpec.tumbling(Duration.ofMillis(10));
            Map<PlainBatch.Slot<Long>, Long> batch = new HashMap<>();
            PlainBatch.evaluate(kept, Long::longValue, time -> time % 3, ten, Aggregations.<Long>counting())
                    .forEach(row -> batch.put(new PlainBatch.Slot<>(row.key(), row.window()), row.value()));
            List<WindowResult<Long, Long>> results = union.keyBy(time -> time % 3)
                    .window(ten)
                    .aggregate(Aggregations.counting())
                    .toFlux()
                    .collectList()
                    .block(Duration.ofSeconds(20));
            assertThat(PlainBatch.fold(results)).as("seed %d", SEED + i).isEqualTo(batch);
        }
        System.out.printf("unions: %d cases, %d events, seed %d%n", CASES, events, SEED);
    }

    @Test
    void whatHasNoPositionsForBothIsRefusedAtAssemblyWithTheRemedy() {
        EventFlux<Long> local = EventFlux.from(Flux.just(1L)).watermarksMillis(Long::longValue, SPEC);
        EventFlux<Long> ofLog = EventFlux.fromSource(
                new EventSource<Long>() {
                    @Override
                    public String name() {
                        return "orders";
                    }

                    @Override
                    public int partitions() {
                        return 2;
                    }

                    @Override
                    public Flux<StreamElement<Long>> open(LaneContext context) {
                        return Flux.empty();
                    }
                },
                time -> time,
                Long::longValue,
                SPEC,
                InvalidSink.calling(invalid -> {}));
        for (EventFlux<Long> first : List.of(local, ofLog)) {
            EventFlux<Long> second = first == local ? ofLog : local;
            assertThatThrownBy(() -> first.union(second))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining(
                            "starts at orders, which is run as a job: have a job write the one stream to");
        }
        assertThatThrownBy(() -> Elements.union(List.<Flux<StreamElement<Long>>>of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("1..1024 streams but was given 0");
        assertThatThrownBy(() -> Elements.union(List.of(Flux.<StreamElement<Long>>just(EventBatch.ofValues(1L))))
                        .blockLast())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("no timestamps yet");
    }

    @Test
    void retractionsOfOneStreamAreKnownBehindTheUnion() {
        EventFlux<Long> local = EventFlux.from(Flux.just(1L)).watermarksMillis(Long::longValue, SPEC);
        EventFlux<Long> retracting = local.keyBy(time -> "k")
                .window(WindowSpec.tumbling(Duration.ofMillis(10)).allowedLateness(Duration.ofMillis(10)))
                .aggregate(Aggregations.counting())
                .map(WindowResult::value);
        assertThatThrownBy(() -> local.union(retracting)
                        .keyBy(time -> "k")
                        .window(WindowSpec.session(Duration.ofMillis(10)))
                        .aggregate(Aggregations.counting()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("takes results back");
    }

    @Test
    void eventsCanBeKeyedAnew() {
        assertThat(EventFlux.from(Flux.range(0, 10))
                        .watermarksMillis(Integer::longValue, SPEC)
                        .keyBy(value -> value)
                        .rekey(value -> value % 2)
                        .window(WindowSpec.tumbling(Duration.ofMillis(100)))
                        .aggregate(Aggregations.counting())
                        .toFlux()
                        .map(result -> result.key() + "=" + result.value())
                        .collectList()
                        .block())
                .containsExactly("0=5", "1=5");
        assertThatThrownBy(() ->
                        EventFlux.from(Flux.range(0, 10)).keyBy(value -> value).rekeyByRecordKey(value -> value))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("use keyBy and rekey");
    }
}
