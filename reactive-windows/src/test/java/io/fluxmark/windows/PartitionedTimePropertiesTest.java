package io.fluxmark.windows;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import reactor.core.publisher.Flux;
import reactor.test.subscriber.TestSubscriber;

/** Event time over several partitions: how events travel, and restarts anywhere, change nothing (S04, S47). */
class PartitionedTimePropertiesTest {

    private record Event(int partition, long time) {}

    private static final int PARTITIONS = 3;
    private static final Duration SILENCE = Duration.ofMillis(10);

    private static List<Event> events(Random random, int count) {
        List<Event> events = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            events.add(new Event(random.nextInt(PARTITIONS), i + random.nextInt(30)));
        }
        return events;
    }

    @Property
    void demandAndRunsChangeNothing(@ForAll Random random) {
        List<Event> events = events(random, random.nextInt(90));
        WatermarkSpec spec = WatermarkSpec.boundedOutOfOrderness(Duration.ofMillis(random.nextInt(8)));
        List<List<String>> outputs = new ArrayList<>();
        for (long demand : new long[] {1, 7, Long.MAX_VALUE}) {
            for (int run : new int[] {1, 2, 7, 256}) {
                TestLane lane = new TestLane();
                TestSubscriber<StreamElement<WindowResult<Integer, Long>>> subscriber =
                        TestSubscriber.builder().initialRequest(demand).build();
                EventFlux.from(Flux.fromIterable(events), run)
                        .watermarksByPartition(
                                PARTITIONS, Event::partition, Event::time, spec.idleAfter(SILENCE), invalid -> {})
                        .keyBy(Event::partition)
                        .window(WindowSpec.tumbling(SILENCE))
                        .aggregate(Aggregations.counting())
                        .elements(() -> lane)
                        .subscribe(subscriber);
                while (!subscriber.isTerminated()) {
                    subscriber.request(demand);
                }
                List<String> output = new ArrayList<>();
                for (StreamElement<WindowResult<Integer, Long>> element : subscriber.getReceivedOnNext()) {
                    if (element instanceof EventBatch<WindowResult<Integer, Long>> results) {
                        for (int i = 0; i < results.size(); i++) {
                            output.add(results.value(i).toString());
                        }
                    }
                }
                output.add("dropped " + lane.count(Counter.DROPPED));
                outputs.add(output);
            }
        }
        assertThat(outputs).allSatisfy(output -> assertThat(output).isEqualTo(outputs.get(0)));
    }

    /** What happens: an event, or a silence when null. */
    private static List<String> run(List<Event> script, WatermarkSpec spec, int restartBefore) {
        List<String> steps = new ArrayList<>();
        TestLane lane = new TestLane();
        ManualSource<StreamElement<Event>> source = new ManualSource<>();
        TestSubscriber<StreamElement<Event>> subscriber = open(source, lane, spec);
        long watermark = Watermark.NONE;
        int seen = 0;
        for (int i = 0; i < script.size(); i++) {
            if (i == restartBefore) {
                source.next(lane.barrier());
                subscriber.cancel();
                lane = lane.restarted();
                source = new ManualSource<>();
                subscriber = open(source, lane, spec);
                seen = 0;
            }
            Event event = script.get(i);
            if (event == null) {
                lane.clock.advanceTimeBy(SILENCE);
            } else {
                source.next(EventBatch.ofValues(event));
            }
            for (StreamElement<Event> element : subscriber.getReceivedOnNext().subList(seen, received(subscriber))) {
                if (element instanceof EventBatch<Event> timed) {
                    steps.add(i + " event judged by " + timed.watermarkBefore(0));
                    watermark = timed.watermarkAfter();
                } else if (element instanceof Watermark<Event> progress) {
                    watermark = progress.timestamp();
                }
            }
            seen = received(subscriber);
            steps.add(i + " W" + watermark);
        }
        source.next(lane.barrier());
        steps.add("regressions " + lane.count(Counter.WATERMARK_REGRESSIONS));
        steps.add("ingested " + lane.count(Counter.INGESTED));
        return steps;
    }

    private static int received(TestSubscriber<?> subscriber) {
        return subscriber.getReceivedOnNext().size();
    }

    private static TestSubscriber<StreamElement<Event>> open(
            ManualSource<StreamElement<Event>> source, TestLane lane, WatermarkSpec spec) {
        TestSubscriber<StreamElement<Event>> subscriber = TestSubscriber.create();
        source.transform(EventTime.assignByPartition(
                        PARTITIONS, Event::partition, Event::time, spec, invalid -> {}, lane))
                .subscribe(subscriber);
        return subscriber;
    }

    @Property
    void aRestartBetweenAnyTwoElementsChangesNothing(@ForAll Random random) {
        List<Event> script = new ArrayList<>();
        for (Event event : events(random, 1 + random.nextInt(25))) {
            script.add(random.nextInt(6) == 0 ? null : event);
        }
        WatermarkSpec bound = WatermarkSpec.boundedOutOfOrderness(Duration.ofMillis(random.nextInt(8)));
        WatermarkSpec spec =
                switch (random.nextInt(4)) {
                    case 0 -> bound;
                    case 1 -> bound.idleAfter(SILENCE);
                    case 2 -> bound.followClockWhenIdle(SILENCE);
                    default -> bound.idleAfter(SILENCE).followClockWhenIdle(SILENCE);
                };
        List<String> expected = run(script, spec, -1);
        for (int at = 0; at < script.size(); at++) {
            assertThat(run(script, spec, at))
                    .as("restart before step %d of %s", at, script)
                    .isEqualTo(expected);
        }
    }
}
