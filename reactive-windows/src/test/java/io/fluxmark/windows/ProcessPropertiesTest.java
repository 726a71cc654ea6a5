package io.fluxmark.windows;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import reactor.core.publisher.Flux;
import reactor.test.subscriber.TestSubscriber;

/** A function over keyed events says what a plain loop says, whatever the disorder, the demand, the runs and the stops. */
class ProcessPropertiesTest {

    private static final Duration WAIT = Duration.ofSeconds(20);
    private static final String OPERATOR = "process-1";

    private final TestLane lane = new TestLane();

    private static void add(List<String> into, Object element) {
        if (element instanceof EventBatch<?> run) {
            for (int i = 0; i < run.size(); i++) {
                into.add(run.value(i) + "@" + run.timestamp(i));
            }
        }
    }

    @Property
    void s04s51AnyDisorderDemandAndRunsEqualAPlainLoop(
            @ForAll Random random, @ForAll @IntRange(max = 30) int disorder, @ForAll @IntRange(max = 30) int bound) {
        List<ProcessScript.Event> events = ProcessScript.events(random, random.nextInt(80), disorder);
        PlainProcess<String, ProcessScript.Event, String> oracle = ProcessScript.oracle();
        long max = Long.MIN_VALUE;
        for (ProcessScript.Event event : events) {
            oracle.event(event.key(), event, event.time());
            max = Math.max(max, event.time());
            oracle.advance(max - bound - 1);
        }
        oracle.advance(Watermark.END);
        for (long demand : new long[] {1, 7, Long.MAX_VALUE}) {
            for (int run : new int[] {1, 2, 7, 256}) {
                TestSubscriber<StreamElement<String>> subscriber =
                        TestSubscriber.builder().initialRequest(demand).build();
                EventFlux.from(Flux.fromIterable(events), run)
                        .watermarksMillis(
                                ProcessScript.Event::time,
                                WatermarkSpec.boundedOutOfOrderness(Duration.ofMillis(bound)))
                        .keyBy(ProcessScript.Event::key)
                        .process(new ProcessScript())
                        .elements(() -> lane)
                        .subscribe(subscriber);
                while (!subscriber.isTerminated()) {
                    subscriber.request(demand);
                }
                List<String> out = new ArrayList<>();
                subscriber.getReceivedOnNext().forEach(element -> add(out, element));
                assertThat(out)
                        .as("demand %d, runs of %d: %s", demand, run, events)
                        .isEqualTo(oracle.out);
                assertThat(lane.count(Counter.LATE)).isEqualTo(oracle.late);
                assertThat(lane.count(Counter.ON_TIME)).isEqualTo(events.size() - oracle.late);
                assertThat(lane.count(Counter.TIMERS)).isEqualTo(oracle.called);
            }
        }
    }

    /** Events with watermarks of any kind, some with large jumps, and the end of the stream. */
    private static List<StreamElement<ProcessScript.Event>> elements(Random random) {
        List<StreamElement<ProcessScript.Event>> elements = new ArrayList<>();
        long watermark = Watermark.NONE;
        for (ProcessScript.Event event : ProcessScript.events(random, 5 + random.nextInt(25), 25)) {
            elements.add(EventBatch.<ProcessScript.Event>builder()
                    .add(event, event.time(), watermark)
                    .build(watermark));
            if (random.nextInt(3) == 0) {
                watermark = Math.max(watermark, event.time() - random.nextInt(20));
                elements.add(new Watermark<>(watermark));
            }
            if (random.nextInt(15) == 0) {
                watermark += watermark == Watermark.NONE ? 0 : random.nextInt(3_000);
                elements.add(new Watermark<>(watermark));
            }
        }
        elements.add(new Watermark<>(Watermark.END));
        return elements;
    }

    private static List<String> run(List<StreamElement<ProcessScript.Event>> elements, LaneContext in) {
        List<String> out = new ArrayList<>();
        EventFlux.fromElements(Flux.fromIterable(elements))
                .keyBy(ProcessScript.Event::key)
                .process(new ProcessScript())
                .elements(() -> in)
                .doOnNext(element -> add(out, element))
                .blockLast(WAIT);
        return out;
    }

    private static boolean isEnd(StreamElement<?> element) {
        return element instanceof Watermark<?> watermark && watermark.timestamp() == Watermark.END;
    }

    /** S43, C58, C59: state, timers and deadlines are what they were; in the end there is nothing left of what expires. */
    @Property
    void s47StoppedAndStartedBetweenAnyTwoElementsTheOutputIsTheSame(@ForAll Random random) {
        List<StreamElement<ProcessScript.Event>> elements = elements(random);
        List<String> expected = run(elements, lane);
        Counters counted = lane.counters.get(OPERATOR).snapshot();
        PlainProcess<String, ProcessScript.Event, String> oracle = ProcessScript.oracle();
        for (StreamElement<ProcessScript.Event> element : elements) {
            if (element instanceof EventBatch<ProcessScript.Event> run) {
                oracle.event(run.value(0).key(), run.value(0), run.timestamp(0));
            } else if (element instanceof Watermark<ProcessScript.Event> watermark) {
                oracle.advance(watermark.timestamp());
            }
        }
        assertThat(expected).as("%s", elements).isEqualTo(oracle.out);
        for (boolean everywhere : new boolean[] {true, false}) {
            StoredState state = new StoredState();
            List<String> out = new ArrayList<>();
            List<StreamElement<ProcessScript.Event>> segment = new ArrayList<>();
            for (StreamElement<ProcessScript.Event> element : elements) {
                segment.add(element);
                if (everywhere || random.nextInt(4) == 0 || isEnd(element)) {
                    segment.add(state.barrier());
                    out.addAll(run(segment, state.lane()));
                    segment.clear();
                    state = state.restarted();
                } else if (random.nextInt(4) == 0) {
                    segment.add(state.barrier());
                }
            }
            assertThat(out).as("%s", elements).isEqualTo(expected);
            LiveCounters restored = new LiveCounters();
            restored.restore(state, OPERATOR);
            assertThat(restored.snapshot()).isEqualTo(counted);
            assertThat(counted.sumHolds()).isTrue();
            assertThat(state.entries(OPERATOR)).as("timers").isZero();
            assertThat(state.longs(OPERATOR, "timers")).containsExactly(0);
            for (String name : ProcessScript.TIMES_TO_LIVE.keySet()) {
                for (String part : List.of("", "/deadlines", "/pieces", "/ends")) {
                    assertThat(state.entries(OPERATOR + "/" + name + part))
                            .as(name + part)
                            .isZero();
                }
            }
        }
    }
}
