package io.fluxmark.windows;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import reactor.core.publisher.Flux;
import reactor.test.subscriber.TestSubscriber;

/** What passes a dedupe is what a plain loop lets pass, whatever the disorder, the demand, the runs and the stops. */
class DedupePropertiesTest {

    private static final Duration WAIT = Duration.ofSeconds(20);
    private static final String OPERATOR = "dedupe-1";

    private record Event(String key, int id, long time) {}

    /** The oracle: a loop, and a map of when each id was first seen. No class of the operator takes part. */
    private static final class PlainDedupe {

        private final long timeToLive;
        private final Map<String, Long> firstSeen = new HashMap<>();
        final List<String> out = new ArrayList<>();
        long duplicates;
        long late;

        PlainDedupe(long timeToLive) {
            this.timeToLive = timeToLive;
        }

        void event(Event event, long watermark) {
            if (event.time + timeToLive <= watermark) {
                late++;
                return;
            }
            String name = event.key + event.id;
            Long first = firstSeen.get(name);
            if (first != null && watermark < first + timeToLive) {
                duplicates++;
                return;
            }
            firstSeen.put(name, event.time);
            out.add(event + "@" + event.time);
        }

        void check(Counters counted, long events) {
            assertThat(counted.get(Counter.INGESTED)).isEqualTo(events);
            assertThat(counted.get(Counter.DUPLICATES)).isEqualTo(duplicates);
            assertThat(counted.get(Counter.DROPPED)).isEqualTo(late);
            assertThat(counted.accepted()).isEqualTo(out.size());
            assertThat(counted.sumHolds()).isTrue();
        }
    }

    private final TestLane lane = new TestLane();

    private static List<Event> events(Random random, int count, int disorder) {
        List<Event> events = new ArrayList<>();
        long time = random.nextInt(100) - 50L;
        for (int i = 0; i < count; i++) {
            time += random.nextInt(4) == 0 ? random.nextInt(30) : random.nextInt(3);
            events.add(new Event("k" + random.nextInt(2), random.nextInt(4), time - random.nextInt(disorder + 1)));
        }
        return events;
    }

    private static EventFlux<Event> dedupe(EventFlux<Event> events, long timeToLive) {
        return events.keyBy(Event::key)
                .dedupe(Event::id, KeyCodec.tagged(Integer.class), Duration.ofMillis(timeToLive))
                .unkeyed();
    }

    private static void add(List<String> into, Object element) {
        if (element instanceof EventBatch<?> run) {
            for (int i = 0; i < run.size(); i++) {
                into.add(run.value(i) + "@" + run.timestamp(i));
            }
        }
    }

    @Property(tries = 300)
    void s04s39AnyDisorderDemandAndRunsEqualAPlainLoop(
            @ForAll Random random,
            @ForAll @IntRange(max = 60) int disorder,
            @ForAll @IntRange(max = 30) int bound,
            @ForAll @IntRange(min = 1, max = 40) int timeToLive) {
        List<Event> events = events(random, random.nextInt(80), disorder);
        PlainDedupe oracle = new PlainDedupe(timeToLive);
        long max = Long.MIN_VALUE;
        for (Event event : events) {
            oracle.event(event, max == Long.MIN_VALUE ? max : max - bound - 1);
            max = Math.max(max, event.time());
        }
        for (long demand : new long[] {1, 7, Long.MAX_VALUE}) {
            for (int run : new int[] {1, 2, 7, 256}) {
                TestSubscriber<StreamElement<Event>> subscriber =
                        TestSubscriber.builder().initialRequest(demand).build();
                dedupe(
                                EventFlux.from(Flux.fromIterable(events), run)
                                        .watermarksMillis(
                                                Event::time,
                                                WatermarkSpec.boundedOutOfOrderness(Duration.ofMillis(bound))),
                                timeToLive)
                        .elements(() -> lane)
                        .subscribe(subscriber);
                while (!subscriber.isTerminated()) {
                    subscriber.request(demand);
                }
                List<String> out = new ArrayList<>();
                subscriber.getReceivedOnNext().forEach(element -> add(out, element));
                assertThat(out)
                        .as("ttl %d, demand %d, runs of %d: %s", timeToLive, demand, run, events)
                        .isEqualTo(oracle.out);
                oracle.check(lane.counters.get("dedupe-2").snapshot(), events.size());
            }
        }
    }

    /** S47, S53: a lane that is stopped, and taken over elsewhere, between any two elements lets each id pass once. */
    @Property(tries = 300)
    void s47s53MovedBetweenAnyTwoElementsTheOutputIsTheSame(
            @ForAll Random random, @ForAll @IntRange(min = 1, max = 60) int timeToLive) {
        PlainDedupe oracle = new PlainDedupe(timeToLive);
        List<StreamElement<Event>> elements = new ArrayList<>();
        long watermark = Watermark.NONE;
        List<Event> events = events(random, 5 + random.nextInt(30), 40);
        for (Event event : events) {
            oracle.event(event, watermark);
            elements.add(EventBatch.<Event>builder()
                    .add(event, event.time(), watermark)
                    .build(watermark));
            if (random.nextInt(3) == 0) {
                watermark = Math.max(watermark, event.time() - random.nextInt(20));
                elements.add(new Watermark<>(watermark));
            }
        }
        elements.add(new Watermark<>(Watermark.END));
        for (boolean everywhere : new boolean[] {true, false}) {
            StoredState state = new StoredState();
            List<String> out = new ArrayList<>();
            List<StreamElement<Event>> segment = new ArrayList<>();
            for (StreamElement<Event> element : elements) {
                segment.add(element);
                if (everywhere || random.nextInt(4) == 0 || element == elements.get(elements.size() - 1)) {
                    segment.add(state.barrier());
                    LaneContext next = state.lane();
                    dedupe(EventFlux.fromElements(Flux.fromIterable(segment)), timeToLive)
                            .elements(() -> next)
                            .doOnNext(each -> add(out, each))
                            .blockLast(WAIT);
                    segment.clear();
                    state = state.restarted();
                }
            }
            assertThat(out).as("ttl %d: %s", timeToLive, elements).isEqualTo(oracle.out);
            LiveCounters restored = new LiveCounters();
            restored.restore(state, OPERATOR);
            oracle.check(restored.snapshot(), events.size());
            assertThat(restored.snapshot().get(Counter.EXPIRED)).isEqualTo(oracle.out.size());
            assertThat(state.entries(OPERATOR)).isZero();
            assertThat(state.entries(OPERATOR + "/deadlines")).isZero();
            assertThat(state.panes(OPERATOR)).isZero();
        }
    }
}
