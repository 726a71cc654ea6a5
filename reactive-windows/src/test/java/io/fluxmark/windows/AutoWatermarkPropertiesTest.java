package io.fluxmark.windows;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import reactor.core.publisher.Flux;
import reactor.test.subscriber.TestSubscriber;

/** A delay that is found from the events is what a plain loop over them finds, whatever the runs, the demand and the stops. */
class AutoWatermarkPropertiesTest {

    private static final int PARTITIONS = 3;
    private static final long LONGEST = 60;
    private static final double WANTED = 0.75;

    /** 40 events to begin with, spans of 60, looked at every 16: none of it is a multiple of a run. */
    private static final AutoDelay DELAY =
            AutoDelay.forCompleteness(WANTED, Duration.ofMillis(LONGEST)).over(60);

    private record Event(int partition, long time) {}

    /** The oracle: keeps the lateness of every event and sorts. No class of the operator takes part. */
    private static final class PlainAuto {

        private final List<Long> needed = new ArrayList<>();
        private long max = Long.MIN_VALUE;
        private long seen;
        private long delay = LONGEST;
        private boolean learning = true;
        long watermark = Long.MIN_VALUE;

        void event(long time) {
            needed.add(needed.isEmpty() ? 0 : Math.min(LONGEST, Math.max(0, max - time)));
            seen += needed.size() == 1 ? 0 : Math.min(LONGEST / 10, Math.max(0, time - max));
            max = Math.max(max, time);
            int events = needed.size();
            learning &= seen < LONGEST || events < 40;
            if (events % 16 == 0 && !learning) {
                int full = (events - 1) / 60 * 60;
                List<Long> recent = needed.subList(Math.max(0, full - 60), events).stream()
                        .sorted()
                        .toList();
                long proposed = recent.get((int) Math.ceil(WANTED * recent.size()) - 1);
                if (proposed > delay || (proposed < delay && delay - proposed >= delay / 20)) {
                    delay = proposed;
                }
            }
            watermark = Math.max(watermark, max - delay - 1);
        }
    }

    /** As many events, whose lateness changes its kind now and then. */
    private static List<Event> events(Random random, int count) {
        List<Event> events = new ArrayList<>();
        long time = random.nextInt(100) - 50L;
        int kind = 0;
        for (int i = 0; i < count; i++) {
            kind = random.nextInt(80) == 0 ? random.nextInt(4) : kind;
            time += random.nextInt(3) == 0 ? random.nextInt(6) : 0;
            long late =
                    switch (kind) {
                        case 0 -> random.nextInt(4);
                        case 1 -> random.nextInt(30);
                        case 2 -> random.nextInt(3) == 0 ? 50 : 0;
                        default -> random.nextInt(100);
                    };
            events.add(new Event(random.nextInt(PARTITIONS), time - late));
        }
        return events;
    }

    private static void add(List<Long> judgedBy, StreamElement<Event> element) {
        if (element instanceof EventBatch<Event> run) {
            for (int i = 0; i < run.size(); i++) {
                judgedBy.add(run.watermarkBefore(i));
            }
        }
    }

    @Property(tries = 60)
    void s04AnyRunsAndDemandEqualAPlainLoop(@ForAll Random random, @ForAll boolean partitioned) {
        List<Event> events = events(random, 200 + random.nextInt(500));
        PlainAuto[] oracle = {new PlainAuto(), new PlainAuto(), new PlainAuto()};
        List<Long> expected = new ArrayList<>();
        long before = Long.MIN_VALUE;
        for (Event event : events) {
            expected.add(before);
            oracle[partitioned ? event.partition : 0].event(event.time);
            long combined = partitioned
                    ? Arrays.stream(oracle)
                            .mapToLong(each -> each.watermark)
                            .min()
                            .orElseThrow()
                    : oracle[0].watermark;
            before = Math.max(before, combined);
        }
        for (long demand : new long[] {1, Long.MAX_VALUE}) {
            for (int run : new int[] {1, 7, 256}) {
                TestSubscriber<StreamElement<Event>> subscriber =
                        TestSubscriber.builder().initialRequest(demand).build();
                EventFlux<Event> source = EventFlux.from(Flux.fromIterable(events), run);
                WatermarkSpec spec = WatermarkSpec.autoTuned(DELAY);
                (partitioned
                                ? source.watermarksByPartition(
                                        PARTITIONS, Event::partition, Event::time, spec, invalid -> {})
                                : source.watermarksMillis(Event::time, spec))
                        .elements(TestLane::new)
                        .subscribe(subscriber);
                while (!subscriber.isTerminated()) {
                    subscriber.request(demand);
                }
                List<Long> judgedBy = new ArrayList<>();
                subscriber.getReceivedOnNext().forEach(element -> add(judgedBy, element));
                assertThat(judgedBy).as("demand %d, runs of %d", demand, run).isEqualTo(expected);
            }
        }
    }

    @Property(tries = 60)
    void s47StoppedAndStartedAnywhereTheWatermarksAreTheSame(
            @ForAll Random random, @ForAll boolean partitioned, @ForAll @IntRange(min = 1, max = 20) int stops) {
        List<Event> events = events(random, 200 + random.nextInt(500));
        List<Long> expected = judgedBy(events, partitioned, List.of());
        List<Integer> at = new ArrayList<>();
        for (int i = 0; i < stops; i++) {
            at.add(1 + random.nextInt(events.size() - 1));
        }
        assertThat(judgedBy(events, partitioned, at))
                .as("stopped before %s", at)
                .isEqualTo(expected);
    }

    private static List<Long> judgedBy(List<Event> events, boolean partitioned, List<Integer> stops) {
        List<Long> judgedBy = new ArrayList<>();
        TestLane lane = new TestLane();
        int from = 0;
        for (int to = 1; to <= events.size(); to++) {
            if (to < events.size() && !stops.contains(to)) {
                continue;
            }
            List<StreamElement<Event>> segment = new ArrayList<>();
            for (Event event : events.subList(from, to)) {
                segment.add(EventBatch.ofValues(event));
            }
            segment.add(lane.barrier());
            TestLane running = lane;
            WatermarkSpec spec = WatermarkSpec.autoTuned(DELAY);
            EventFlux<Event> source = EventFlux.fromElements(Flux.fromIterable(segment));
            (partitioned
                            ? source.watermarksByPartition(
                                    PARTITIONS, Event::partition, Event::time, spec, invalid -> {})
                            : source.watermarksMillis(Event::time, spec))
                    .elements(() -> running)
                    .doOnNext(element -> add(judgedBy, element))
                    .blockLast(Duration.ofSeconds(20));
            lane = lane.restarted();
            from = to;
        }
        return judgedBy;
    }

    @Property(tries = 60)
    void s47AGeneratorGoesOnFromItsStateAnywhere(@ForAll Random random) {
        AutoWatermark whole = new AutoWatermark(DELAY);
        AutoWatermark restarted = new AutoWatermark(DELAY);
        for (Event event : events(random, 600)) {
            assertThat(restarted.onEvent(event.time)).isEqualTo(whole.onEvent(event.time));
            long[] state = restarted.state();
            assertThat(state).isEqualTo(whole.state());
            restarted = new AutoWatermark(DELAY);
            restarted.restore(state);
            assertThat(restarted.choice()).isEqualTo(whole.choice());
        }
    }
}
