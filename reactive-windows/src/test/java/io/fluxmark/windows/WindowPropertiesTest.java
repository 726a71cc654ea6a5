package io.fluxmark.windows;

import static org.assertj.core.api.Assertions.assertThat;

import io.fluxmark.windows.PlainBatch.Slot;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import reactor.core.publisher.Flux;
import reactor.test.scheduler.VirtualTimeScheduler;
import reactor.test.subscriber.TestSubscriber;

/** Tumbling windows against a plain loop, over random input (S53.1, .3, .4, .9). */
class WindowPropertiesTest {

    private static final long SIZE = 10;
    private static final Duration WAIT = Duration.ofSeconds(10);

    private final AtomicReference<LiveCounters> counters = new AtomicReference<>();

    private long count(Counter counter) {
        return counters.get().snapshot().get(counter);
    }

    private EventFlux<WindowResult<Long, Long>> sums(EventFlux<Long> events, WindowSpec windows) {
        return events.keyBy(event -> Math.floorMod(event, 3L))
                .window(windows)
                .countersTo(counters::set)
                .aggregate(Aggregations.summingLong(event -> 1000 + event));
    }

    private static WindowSpec windows(Random random) {
        int offset = new int[] {-2, 0, 3}[random.nextInt(3)];
        return WindowSpec.tumbling(Duration.ofMillis(SIZE))
                .offset(Duration.ofMillis(offset))
                .allowedLateness(Duration.ofMillis((long) random.nextInt(2) * random.nextInt(25)));
    }

    /** The batch value of accepted events, by hand: no class of the library takes part but the result's. */
    private static Map<Slot<Long>, Long> batch(List<Long> accepted, WindowSpec windows) {
        Map<Slot<Long>, Long> sums = new HashMap<>();
        for (long event : accepted) {
            long offset = windows.offsetMillis();
            long start = offset + Math.floorDiv(event - offset, SIZE) * SIZE;
            sums.merge(
                    new Slot<>(Math.floorMod(event, 3L), new TimeWindow(start, start + SIZE)), 1000 + event, Long::sum);
        }
        return sums;
    }

    private static Map<Slot<Long>, Long> fold(List<WindowResult<Long, Long>> results) {
        return PlainBatch.fold(results);
    }

    @Property
    void anyWatermarksAndAnyRunsEqualBatchOverTheAccepted(@ForAll Random random) {
        WindowSpec windows = windows(random);
        List<StreamElement<Long>> elements = new ArrayList<>();
        List<Long> accepted = new ArrayList<>();
        EventBatchBuilder<Long> run = EventBatch.builder();
        long watermark = Watermark.NONE;
        int late = 0;
        int steps = random.nextInt(80);
        for (int i = 0; i < steps; i++) {
            if (random.nextInt(4) == 0) {
                long next = random.nextInt(90) - 35L;
                watermark = random.nextBoolean() ? Math.max(watermark, next) : watermark;
            }
            long event = random.nextInt(90) - 30L;
            run.add(event, event, watermark);
            TimeWindow window = windows.windowsOf(event).get(0);
            if (watermark >= window.end() - 1 + windows.allowedLatenessMillis()) {
                late++;
            } else {
                accepted.add(event);
            }
            if (random.nextInt(5) == 0) {
                elements.add(run.build(watermark));
            }
        }
        if (run.size() > 0) {
            elements.add(run.build(watermark));
        }
        elements.add(new Watermark<>(Watermark.END));
        List<WindowResult<Long, Long>> results = sums(EventFlux.fromElements(Flux.fromIterable(elements)), windows)
                .toFlux()
                .collectList()
                .block(WAIT);
        assertThat(fold(results)).isEqualTo(batch(accepted, windows));
        assertThat(count(Counter.DROPPED)).isEqualTo(late);
        assertThat(count(Counter.INGESTED)).isEqualTo(steps);
        assertThat(counters.get().snapshot().sumHolds()).isTrue();
    }

    private static List<Long> events(Random random, int count) {
        List<Long> events = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            events.add((long) random.nextInt(90) - 30);
        }
        return events;
    }

    private EventFlux<WindowResult<Long, Long>> bounded(List<Long> events, long bound, int run, WindowSpec windows) {
        return sums(
                EventFlux.from(Flux.fromIterable(events), run)
                        .watermarksMillis(
                                Long::longValue, WatermarkSpec.boundedOutOfOrderness(Duration.ofMillis(bound))),
                windows);
    }

    @Property
    void demandAndRunsChangeNothing(@ForAll Random random) {
        WindowSpec windows = windows(random);
        List<Long> events = events(random, random.nextInt(120));
        long bound = random.nextInt(20);
        List<List<WindowResult<Long, Long>>> outputs = new ArrayList<>();
        List<Counters> counts = new ArrayList<>();
        for (long demand : new long[] {1, 7, Long.MAX_VALUE}) {
            for (int run : new int[] {1, 2, 7, 256}) {
                TestSubscriber<WindowResult<Long, Long>> subscriber =
                        TestSubscriber.builder().initialRequest(demand).build();
                bounded(events, bound, run, windows).toFlux().subscribe(subscriber);
                while (!subscriber.isTerminated()) {
                    subscriber.request(demand);
                }
                assertThat(subscriber.isTerminatedComplete()).isTrue();
                outputs.add(subscriber.getReceivedOnNext());
                counts.add(counters.get().snapshot());
            }
        }
        assertThat(outputs).allSatisfy(output -> assertThat(output).isEqualTo(outputs.get(0)));
        assertThat(counts).allSatisfy(each -> assertThat(each).isEqualTo(counts.get(0)));
    }

    @Property
    void aShuffleWithinTheBoundEqualsTheSorted(@ForAll Random random, @ForAll @IntRange(max = 30) int bound) {
        WindowSpec windows = windows(random);
        List<Long> sorted = events(random, random.nextInt(120));
        sorted.sort(Comparator.naturalOrder());
        List<long[]> delayed = new ArrayList<>();
        sorted.forEach(event -> delayed.add(new long[] {event + random.nextInt(bound + 1), event}));
        delayed.sort(Comparator.comparingLong(pair -> pair[0]));
        List<Long> shuffled = delayed.stream().map(pair -> pair[1]).toList();
        Map<Slot<Long>, Long> ofShuffled =
                fold(bounded(shuffled, bound, 7, windows).toFlux().collectList().block(WAIT));
        assertThat(count(Counter.ON_TIME)).isEqualTo(sorted.size());
        assertThat(ofShuffled)
                .isEqualTo(fold(bounded(sorted, bound, 7, windows)
                        .toFlux()
                        .collectList()
                        .block(WAIT)));
        assertThat(ofShuffled).isEqualTo(batch(sorted, windows));
    }

    @Property
    void ofOneFarFutureEventAnywhereOnlyItselfIsRejected(@ForAll Random random) {
        WindowSpec windows = windows(random);
        List<Long> honest = events(random, 1 + random.nextInt(60));
        List<Long> poisoned = new ArrayList<>(honest);
        poisoned.add(random.nextInt(poisoned.size() + 1), 1_061L + random.nextInt(Integer.MAX_VALUE));
        VirtualTimeScheduler clock = VirtualTimeScheduler.create();
        clock.advanceTimeTo(Instant.ofEpochMilli(1_000));
        List<List<String>> outputs = new ArrayList<>();
        for (List<Long> events : List.of(honest, poisoned)) {
            List<InvalidEvent> invalid = new ArrayList<>();
            EventFlux<Long> timed = EventFlux.from(Flux.fromIterable(events), 7)
                    .watermarks(
                            Long::longValue,
                            WatermarkSpec.boundedOutOfOrderness(Duration.ofMillis(5))
                                    .maxAhead(Duration.ofMillis(60)),
                            invalid::add);
            Flux<StreamElement<WindowResult<Long, Long>>> elements =
                    sums(timed, windows).elements(() -> LaneContext.local(clock));
            outputs.add(elements.transform(EventTime.values())
                    .map(Object::toString)
                    .collectList()
                    .block(WAIT));
            assertThat(count(Counter.INGESTED)).isEqualTo(honest.size());
            assertThat(invalid).hasSize(events.size() - honest.size());
        }
        assertThat(outputs.get(1)).isEqualTo(outputs.get(0));
    }
}
