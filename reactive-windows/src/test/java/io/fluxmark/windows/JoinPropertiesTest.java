package io.fluxmark.windows;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.test.subscriber.TestSubscriber;

/**
 * Joins say what two nested loops over the accepted events say, whatever the disorder, the watermarks, the demand, the runs and
 * the stops; and in the end nothing is kept on either side.
 */
class JoinPropertiesTest {

    private static final boolean THOROUGH =
            System.getProperty("fluxmark.tier", "small").equals("thorough");
    private static final int STOPPED = THOROUGH ? 10_000 : 500;
    private static final int RUNS = THOROUGH ? 2_000 : 40;
    private static final long SEED = 44_045;
    private static final List<JoinKind> KINDS = List.of(JoinKind.values());

    /** One case: what is joined, and what with. */
    private record Case(JoinInterval interval, JoinKind kind) {

        static Case of(Random random) {
            long lower = random.nextInt(40) - 25L;
            int width = random.nextInt(4) == 0 ? 400 : 30;
            long span = random.nextInt(4) == 0 ? 0 : random.nextInt(width);
            return new Case(new JoinInterval(lower, lower + span), KINDS.get(random.nextInt(KINDS.size())));
        }

        /** What the accepted events of both sides come to, without the times of what is alone. */
        List<String> nested(List<String> left, List<String> right) {
            List<String> joined = new ArrayList<>();
            for (String l : left) {
                boolean alone = true;
                for (String r : right) {
                    if (pairs(l, r)) {
                        joined.add(JoinScript.pair(l, r));
                        alone = false;
                    }
                }
                if (alone && (kind == JoinKind.LEFT || kind == JoinKind.FULL)) {
                    joined.add(JoinScript.pair(l, null));
                }
            }
            for (String r : right) {
                boolean alone = left.stream().noneMatch(l -> pairs(l, r));
                if (alone && (kind == JoinKind.RIGHT || kind == JoinKind.FULL)) {
                    joined.add(JoinScript.pair(null, r));
                }
            }
            return joined;
        }

        private boolean pairs(String l, String r) {
            long apart = JoinScript.time(r) - JoinScript.time(l);
            return JoinScript.key(l).equals(JoinScript.key(r))
                    && apart >= interval.lower()
                    && apart <= interval.upper();
        }
    }

    private static String event(Random random, String name, long time) {
        return "k" + random.nextInt(4) + ":" + name + "@" + time;
    }

    /** Both streams in one, with watermarks of any kind, and the end. */
    private static List<StreamElement<JoinEvent<String, String>>> elements(Random random) {
        List<StreamElement<JoinEvent<String, String>>> elements = new ArrayList<>();
        long watermark = Watermark.NONE;
        long time = random.nextInt(100) - 50L;
        int size = 5 + random.nextInt(60);
        for (int i = 0; i < size; i++) {
            time += random.nextInt(4) == 0 ? random.nextInt(30) : random.nextInt(3);
            long at = time - random.nextInt(20);
            boolean isLeft = random.nextBoolean();
            String event = event(random, (isLeft ? "l" : "r") + i, at);
            elements.add(EventBatch.<JoinEvent<String, String>>builder()
                    .add(isLeft ? JoinEvent.ofLeft(event) : JoinEvent.ofRight(event), at, watermark)
                    .build(watermark));
            if (random.nextInt(3) == 0) {
                watermark = Math.max(watermark, at - random.nextInt(20));
                elements.add(new Watermark<>(watermark));
            }
            if (random.nextInt(20) == 0 && watermark != Watermark.NONE) {
                watermark += random.nextInt(500);
                elements.add(new Watermark<>(watermark));
            }
        }
        elements.add(new Watermark<>(Watermark.END));
        return elements;
    }

    /** The events that are not late when they come. */
    private static List<String> accepted(List<StreamElement<JoinEvent<String, String>>> elements, boolean ofRight) {
        List<String> accepted = new ArrayList<>();
        long watermark = Watermark.NONE;
        for (StreamElement<JoinEvent<String, String>> element : elements) {
            if (element instanceof Watermark<JoinEvent<String, String>> progress) {
                watermark = progress.timestamp();
            } else if (element instanceof EventBatch<JoinEvent<String, String>> run && run.timestamp(0) > watermark) {
                String event = ofRight ? run.value(0).right() : run.value(0).left();
                if (event != null) {
                    accepted.add(event);
                }
            }
        }
        return accepted;
    }

    private static List<String> values(List<String> out) {
        return out.stream()
                .filter(text -> !text.startsWith("W"))
                .map(text -> text.substring(0, text.lastIndexOf('@')))
                .toList();
    }

    @Test
    void s44s45StoppedAndStartedBetweenAnyTwoElementsItIsWhatNestedLoopsSay() {
        long stops = 0;
        long pairs = 0;
        long alone = 0;
        long late = 0;
        for (int i = 0; i < STOPPED; i++) {
            Random random = new Random(SEED + i);
            Case join = Case.of(random);
            List<StreamElement<JoinEvent<String, String>>> elements = elements(random);
            List<String> left = accepted(elements, false);
            List<String> right = accepted(elements, true);
            TestLane lane = new TestLane();
            List<String> expected = JoinScript.run(elements, join.interval(), join.kind(), lane);
            assertThat(values(expected))
                    .as("case %d, %s: %s", i, join, elements)
                    .containsExactlyInAnyOrderElementsOf(join.nested(left, right));
            Counters counted = lane.counters.get("join-1").snapshot();
            assertThat(counted.get(Counter.ON_TIME)).isEqualTo(left.size() + right.size());
            assertThat(counted.get(Counter.JOINED) + counted.get(Counter.UNMATCHED))
                    .isEqualTo(values(expected).size());
            assertThat(counted.sumHolds()).isTrue();
            boolean everywhere = random.nextBoolean();
            StoredState state = new StoredState();
            List<String> out = new ArrayList<>();
            List<StreamElement<JoinEvent<String, String>>> segment = new ArrayList<>();
            for (StreamElement<JoinEvent<String, String>> element : elements) {
                segment.add(element);
                boolean last = element == elements.get(elements.size() - 1);
                if (everywhere || random.nextInt(4) == 0 || last) {
                    segment.add(state.barrier());
                    out.addAll(JoinScript.run(segment, join.interval(), join.kind(), state.lane()));
                    segment.clear();
                    state = state.restarted();
                    stops++;
                } else if (random.nextInt(4) == 0) {
                    segment.add(state.barrier());
                }
            }
            assertThat(withoutWatermarks(out))
                    .as("case %d, %s: %s", i, join, elements)
                    .isEqualTo(withoutWatermarks(expected));
            LiveCounters restored = new LiveCounters();
            restored.restore(state, "join-1");
            assertThat(restored.snapshot()).isEqualTo(counted);
            assertThat(state.longs("join-1", "timers")).containsExactly(0);
            for (String part : List.of("join-1", "join-1/left", "join-1/right")) {
                assertThat(state.panes(part)).as("panes of %s", part).isZero();
            }
            pairs += counted.get(Counter.JOINED);
            alone += counted.get(Counter.UNMATCHED);
            late += counted.get(Counter.DROPPED);
        }
        System.out.printf(
                "stopped joins: %d cases, %d stops, %d pairs, %d alone, %d late, seed %d%n",
                STOPPED, stops, pairs, alone, late, SEED);
        assertThat(Math.min(Math.min(pairs, alone), late)).isPositive();
    }

    private static List<String> withoutWatermarks(List<String> out) {
        return out.stream().filter(text -> !text.startsWith("W")).toList();
    }

    /** State is gone when the watermark has passed, and not only at the end of the stream. */
    @Test
    void s44NothingIsKeptOnEitherSideOnceTheWatermarkHasPassed() {
        for (JoinKind kind : JoinKind.values()) {
            Random random = new Random(SEED);
            List<StreamElement<JoinEvent<String, String>>> elements = elements(random);
            elements.remove(elements.size() - 1);
            elements.add(new Watermark<>(100_000));
            StoredState state = new StoredState();
            elements.add(state.barrier());
            JoinScript.run(elements, new JoinInterval(-200, 300), kind, state.lane());
            for (String part : List.of("join-1", "join-1/left", "join-1/right")) {
                assertThat(state.entries(part)).as("%s, %s", kind, part).isZero();
            }
            assertThat(state.longs("join-1", "timers")).containsExactly(0);
        }
    }

    @Test
    void s04DemandAndRunsChangeNothing() {
        long events = 0;
        for (int i = 0; i < RUNS; i++) {
            Random random = new Random(SEED + i);
            Case join = Case.of(random);
            List<String> left = stream(random, "l");
            List<String> right = stream(random, "r");
            long leftDelay = random.nextInt(30);
            long rightDelay = random.nextInt(30);
            events += left.size() + right.size();
            List<String> first = null;
            Counters counted = null;
            for (long demand : new long[] {1, 7, Long.MAX_VALUE}) {
                for (int run : new int[] {1, 2, 7, 256}) {
                    TestLane lane = new TestLane();
                    TestSubscriber<StreamElement<String>> subscriber =
                            TestSubscriber.builder().initialRequest(demand).build();
                    JoinScript.of(
                                    keyed(left, run, leftDelay)
                                            .join(keyed(right, 1 + random.nextInt(20), rightDelay))
                                            .within(join.interval()),
                                    join.kind())
                            .elements(() -> lane)
                            .subscribe(subscriber);
                    while (!subscriber.isTerminated()) {
                        subscriber.request(demand);
                    }
                    assertThat(subscriber.isTerminatedComplete()).isTrue();
                    List<String> out = new ArrayList<>();
                    subscriber.getReceivedOnNext().forEach(element -> JoinScript.texts(out, element));
                    Counters counts = lane.counters.get("join-2").snapshot();
                    if (first == null || counted == null) {
                        first = withoutWatermarks(out);
                        counted = counts;
                    }
                    assertThat(withoutWatermarks(out))
                            .as("case %d, demand %d, runs of %d: %s, %s", i, demand, run, left, right)
                            .isEqualTo(first);
                    assertThat(counts).isEqualTo(counted);
                }
            }
            assertThat(counted.sumHolds()).isTrue();
        }
        System.out.printf("joins by demand and runs: %d cases, %d events, seed %d%n", RUNS, events, SEED);
    }

    private static KeyedFlux<String, String> keyed(List<String> events, int run, long delay) {
        return EventFlux.from(Flux.fromIterable(events), run)
                .watermarksMillis(JoinScript::time, WatermarkSpec.boundedOutOfOrderness(Duration.ofMillis(delay)))
                .filter(event -> JoinScript.time(event) % 7 != 0)
                .keyBy(JoinScript::key);
    }

    private static List<String> stream(Random random, String side) {
        List<String> events = new ArrayList<>();
        long time = random.nextInt(60);
        int size = random.nextInt(60);
        for (int i = 0; i < size; i++) {
            time += random.nextInt(4) == 0 ? random.nextInt(30) : random.nextInt(3);
            events.add(event(random, side + i, time - random.nextInt(30)));
        }
        return events;
    }
}
