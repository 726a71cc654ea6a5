package io.fluxmark.windows;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Function;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import reactor.core.publisher.Flux;
import reactor.test.subscriber.TestSubscriber;

/**
 * Partitions interleaved at random give, without a key, what they give one by one (S53.5): the smallest watermark lets no
 * event be late that is in order within the bound in its own partition.
 */
class InterleavingPropertiesTest {

    private record Event(int partition, long time) {}

    private static final Duration TEN = Duration.ofMillis(10);

    /** Partitions of events, each out of order within the bound, the windows, and what came of them. */
    private static final class Scenario {

        private final Random random;
        private final List<List<Event>> partitions = new ArrayList<>();
        private final WatermarkSpec spec;
        private final WindowSpec windows;

        /** How far apart windows begin, or 0 for sessions. */
        private final int slide;

        private TestLane lane = new TestLane();

        Scenario(Random random) {
            this.random = random;
            int bound = random.nextInt(8);
            this.spec = WatermarkSpec.boundedOutOfOrderness(Duration.ofMillis(bound));
            this.slide = List.of(10, 4, 0).get(random.nextInt(3));
            this.windows = slide == 0
                    ? WindowSpec.session(Duration.ofMillis(5))
                    : WindowSpec.sliding(TEN, Duration.ofMillis(slide));
            int count = 1 + random.nextInt(5);
            for (int p = 0; p < count; p++) {
                partitions.add(partition(p, bound));
            }
        }

        private List<Event> partition(int p, int bound) {
            TreeMap<Double, Event> byArrival = new TreeMap<>();
            for (int left = random.nextInt(30); left > 0; left--) {
                long time = random.nextInt(200) - 50L;
                byArrival.put(time + random.nextDouble() * bound, new Event(p, time));
            }
            return new ArrayList<>(byArrival.values());
        }

        int size() {
            return partitions.stream().mapToInt(List::size).sum();
        }

        List<Event> oneByOne() {
            return partitions.stream().flatMap(List::stream).toList();
        }

        /** At random, each partition in its own order. */
        List<Event> interleaved() {
            int[] next = new int[partitions.size()];
            List<Event> events = new ArrayList<>();
            while (events.size() < size()) {
                int p = random.nextInt(next.length);
                if (next[p] < partitions.get(p).size()) {
                    events.add(partitions.get(p).get(next[p]++));
                }
            }
            return events;
        }

        private TestSubscriber<WindowResult<String, Long>> open(
                Function<TestLane, Flux<StreamElement<Event>>> timed, long demand) {
            TestSubscriber<WindowResult<String, Long>> subscriber =
                    TestSubscriber.builder().initialRequest(demand).build();
            lane = new TestLane();
            EventFlux.fromElements(timed.apply(lane))
                    .keyBy(event -> "all")
                    .window(windows)
                    .aggregate(Aggregations.counting())
                    .elements(() -> lane)
                    .transform(EventTime.values())
                    .subscribe(subscriber);
            return subscriber;
        }

        private List<String> results(TestSubscriber<WindowResult<String, Long>> subscriber) {
            for (int requests = 0; !subscriber.isTerminated(); requests++) {
                assertThat(requests).as("demand without an end").isLessThan(10_000);
                subscriber.request(1 + random.nextInt(3));
            }
            assertThat(subscriber.isTerminatedComplete()).isTrue();
            assertThat(lane.count(Counter.ON_TIME)).as("on time of %s", this).isEqualTo(size());
            return subscriber.getReceivedOnNext().stream()
                    .map(WindowScript::text)
                    .toList();
        }

        List<String> inOneStream(List<Event> events, int runSize) {
            return results(open(
                    here -> Flux.fromIterable(events)
                            .transform(EventTime.runs(runSize))
                            .transform(EventTime.assignByPartition(
                                    partitions.size(), Event::partition, Event::time, spec, invalid -> {}, here)),
                    random.nextInt(3)));
        }

        private Function<TestLane, Flux<StreamElement<Event>>> merge(List<? extends Flux<Event>> sources) {
            int prefetch = 1 + random.nextInt(5);
            return here -> EventTime.merge(sources, prefetch, Event::time, spec, invalid -> {}, here);
        }

        List<String> merged() {
            return results(
                    open(merge(partitions.stream().map(Flux::fromIterable).toList()), random.nextInt(3)));
        }

        /** From sources that send in this order, each when it is asked, while demand comes in between. */
        List<String> merged(List<Event> order) {
            List<ManualSource<Event>> sources =
                    partitions.stream().map(events -> new ManualSource<Event>()).toList();
            TestSubscriber<WindowResult<String, Long>> subscriber = open(merge(sources), random.nextInt(3));
            int[] sent = new int[partitions.size()];
            for (int p = 0; p < sent.length; p++) {
                if (partitions.get(p).isEmpty()) {
                    sources.get(p).complete();
                }
            }
            for (Event event : order) {
                int p = event.partition();
                for (int requests = 0; sources.get(p).requested.get() == sent[p]; requests++) {
                    assertThat(requests).as("demand that asks nobody").isLessThan(10_000);
                    subscriber.request(1);
                }
                sources.get(p).next(event);
                if (++sent[p] == partitions.get(p).size()) {
                    sources.get(p).complete();
                }
            }
            return results(subscriber);
        }

        /** Windows of a size of 10 by hand. */
        void assertPlain(List<String> results) {
            if (slide == 0) {
                return;
            }
            TreeMap<Long, Long> counts = new TreeMap<>();
            for (Event event : oneByOne()) {
                for (long start = event.time() - 9; start <= event.time(); start++) {
                    if (Math.floorMod(start, slide) == 0) {
                        counts.merge(start, 1L, Long::sum);
                    }
                }
            }
            List<String> plain = new ArrayList<>();
            counts.forEach((start, count) -> plain.add("+[" + start + "," + (start + 10) + "):" + count));
            assertThat(results).isEqualTo(plain);
        }

        @Override
        public String toString() {
            return windows + " of " + partitions;
        }
    }

    @Property
    void s53PartitionsInterleavedAtRandomEqualOneByOne(@ForAll Random random) {
        Scenario scenario = new Scenario(random);
        List<String> oneByOne = scenario.inOneStream(scenario.oneByOne(), 7);
        scenario.assertPlain(oneByOne);
        for (int runSize : new int[] {1, 2, 256}) {
            assertThat(scenario.inOneStream(scenario.interleaved(), runSize))
                    .as("interleaved in one stream, %s", scenario)
                    .isEqualTo(oneByOne);
        }
    }

    @Property
    void s53MergedSourcesInterleavedAtRandomEqualOneByOne(@ForAll Random random) {
        Scenario scenario = new Scenario(random);
        List<String> oneByOne = scenario.merged(scenario.oneByOne());
        scenario.assertPlain(oneByOne);
        assertThat(scenario.merged()).as("all at hand, %s", scenario).isEqualTo(oneByOne);
        for (int i = 0; i < 3; i++) {
            assertThat(scenario.merged(scenario.interleaved()))
                    .as("interleaved, %s", scenario)
                    .isEqualTo(oneByOne);
        }
    }
}
