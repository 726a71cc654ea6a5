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
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.test.subscriber.TestSubscriber;

/** Sessions against a plain model, over random input (S20, S21, S53.2, S53.3). */
class SessionPropertiesTest {

    private static final int RUNS_PER_TRY = 10;
    private static final long SEED = 85_001;

    /** What happens: an event, or a watermark where it is null. */
    record Step(WindowScript.Event event, long watermark) {}

    /** A random definition and what happens to it. */
    record Scenario(WindowSpec windows, boolean ownGaps, List<Step> steps) {

        static Scenario of(Random random) {
            long gap = new long[] {3, 5, 10}[random.nextInt(3)];
            long lateness = new long[] {0, 0, 4, 30}[random.nextInt(4)];
            boolean ownGaps = random.nextInt(3) == 0;
            List<Step> steps = new ArrayList<>();
            long watermark = Watermark.NONE;
            for (int left = random.nextInt(25); left > 0; left--) {
                if (random.nextInt(5) < 2) {
                    watermark = Math.max(watermark, random.nextInt(85) - 25L);
                    steps.add(new Step(null, watermark));
                }
                String key = random.nextBoolean() ? "a" : "b";
                long own = ownGaps ? 1 + random.nextInt((int) gap) : gap;
                steps.add(new Step(new WindowScript.Event(key, random.nextInt(80) - 20L, own), 0));
            }
            return new Scenario(
                    WindowSpec.session(Duration.ofMillis(gap)).allowedLateness(Duration.ofMillis(lateness)),
                    ownGaps,
                    steps);
        }

        SessionModel model() {
            SessionModel model = new SessionModel(windows.allowedLatenessMillis());
            for (Step step : steps) {
                if (step.event == null) {
                    model.watermark(step.watermark);
                } else {
                    model.event(step.event);
                }
            }
            model.watermark(Watermark.END);
            return model;
        }

        /** The steps as elements, in runs of at most {@code runSize} events. */
        List<StreamElement<WindowScript.Event>> elements(int runSize) {
            List<StreamElement<WindowScript.Event>> elements = new ArrayList<>();
            EventBatchBuilder<WindowScript.Event> run = EventBatch.builder();
            long watermark = Watermark.NONE;
            for (Step step : steps) {
                if (step.event == null) {
                    watermark = step.watermark;
                    if (runSize == 1) {
                        elements.add(new Watermark<>(watermark));
                    }
                } else {
                    run.add(step.event, step.event.time(), watermark);
                    if (run.size() == runSize) {
                        elements.add(run.build(watermark));
                    }
                }
            }
            if (run.size() > 0) {
                elements.add(run.build(watermark));
            }
            elements.add(new Watermark<>(Watermark.END));
            return elements;
        }

        WindowScript script() {
            WindowScript script = WindowScript.of(windows);
            return ownGaps ? script.withOwnGaps() : script;
        }
    }

    static List<String> texts(List<WindowResult<String, Long>> results) {
        return results.stream()
                .map(result -> result.key() + WindowScript.text(result))
                .toList();
    }

    private static List<WindowResult<String, Long>> results(
            WindowScript script, List<StreamElement<WindowScript.Event>> elements) {
        return script.pipeline(Flux.fromIterable(elements))
                .toFlux()
                .collectList()
                .block(Duration.ofSeconds(10));
    }

    @Property
    void s20AnyWatermarksAndGapsEqualTheModelAndBatchOverTheAccepted(@ForAll Random random) {
        for (int i = 0; i < RUNS_PER_TRY; i++) {
            Scenario scenario = Scenario.of(random);
            SessionModel model = scenario.model();
            WindowScript script = scenario.script();
            List<String> out = texts(results(script, scenario.elements(1)));
            assertThat(out).as("%s", scenario).isEqualTo(model.out);
            assertThat(SessionModel.fold(out)).isEqualTo(SessionModel.batch(model.accepted));
            assertThat(script.counters().sumHolds()).isTrue();
            assertThat(script.count(Counter.DROPPED)).isEqualTo(model.late);
            assertThat(script.counters().accepted()).isEqualTo(model.accepted.size());
            assertThat(script.count(Counter.MERGES)).isEqualTo(model.merges);
            assertThat(script.count(Counter.RETRACTIONS)).isEqualTo(model.retractions);
            assertThat(script.count(Counter.FIRES_ON_TIME) + script.count(Counter.FIRES_LATE))
                    .isEqualTo(model.fires);
        }
    }

    @Test
    void c32ManyEventsWithThreeTimesTheGapOfJitterAndAnyWatermarkNeverFail() {
        int count = System.getProperty("fluxmark.tier", "small").equals("thorough") ? 1_000_000 : 20_000;
        Random random = new Random(SEED);
        for (long lateness : new long[] {0, 30}) {
            WindowScript script = WindowScript.of(
                    WindowSpec.session(Duration.ofMillis(10)).allowedLateness(Duration.ofMillis(lateness)));
            Map<String, Long> live = new HashMap<>();
            long[] added = {0};
            script.pipeline(jittered(random, count)).toFlux().toIterable().forEach(result -> {
                String window = result.key() + result.window();
                assertThat(live.containsKey(window)).as("%s", result).isEqualTo(result.isRetraction());
                if (result.isRetraction()) {
                    assertThat(live.remove(window)).isEqualTo(result.value());
                } else {
                    live.put(window, result.value());
                }
                added[0] += result.isRetraction() ? -result.value() : result.value();
            });
            assertThat(script.count(Counter.INGESTED)).isEqualTo(count);
            assertThat(script.counters().sumHolds()).isTrue();
            assertThat(added[0])
                    .as("what stands at the end")
                    .isEqualTo(script.counters().accepted());
            assertThat(script.count(Counter.MERGES)).isPositive();
            assertThat(script.count(Counter.DROPPED)).isPositive();
            assertThat(lateness == 0 || script.count(Counter.RETRACTIONS) > 0).isTrue();
            System.out.printf(
                    "sessions without an exception: %d events, lateness %d, seed %d: %s%n",
                    count, lateness, SEED, script.counters());
        }
    }

    /** Events of 50 keys, three gaps early or late, and watermarks that go with them at random. */
    private static Flux<StreamElement<WindowScript.Event>> jittered(Random random, int count) {
        Flux<StreamElement<WindowScript.Event>> runs =
                Flux.generate(() -> new long[] {0, Watermark.NONE}, (state, sink) -> {
                    EventBatchBuilder<WindowScript.Event> run = EventBatch.builder();
                    int size = (int) Math.min(1 + random.nextInt(16), count - state[0]);
                    for (int i = 0; i < size; i++) {
                        long now = state[0]++ / 4;
                        if (random.nextInt(3) == 0) {
                            state[1] = Math.max(state[1], now + random.nextInt(61) - 50L);
                        }
                        long time = now + random.nextInt(61) - 30L;
                        run.add(new WindowScript.Event("k" + random.nextInt(50), time, 10), time, state[1]);
                    }
                    sink.next(run.build(state[1]));
                    if (state[0] == count) {
                        sink.complete();
                    }
                    return state;
                });
        return runs.concatWithValues(new Watermark<>(Watermark.END));
    }

    @Property
    void demandAndRunsChangeNothing(@ForAll Random random) {
        Scenario scenario = Scenario.of(random);
        List<WindowResult<String, Long>> expected = results(scenario.script(), scenario.elements(1));
        for (long demand : new long[] {1, 7, Long.MAX_VALUE}) {
            for (int run : new int[] {2, 7, 256}) {
                TestSubscriber<WindowResult<String, Long>> subscriber =
                        TestSubscriber.builder().initialRequest(demand).build();
                scenario.script()
                        .pipeline(Flux.fromIterable(scenario.elements(run)))
                        .toFlux()
                        .subscribe(subscriber);
                while (!subscriber.isTerminated()) {
                    subscriber.request(demand);
                }
                assertThat(subscriber.getReceivedOnNext()).isEqualTo(expected);
            }
        }
    }
}
