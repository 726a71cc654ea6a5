package io.fluxmark.aggregate.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.fluxmark.aggregate.WindowText;
import io.fluxmark.aggregate.run.Event;
import io.fluxmark.aggregate.run.PipelineSettings;
import io.fluxmark.aggregate.run.RunListener;
import io.fluxmark.aggregate.run.WindowRun;
import io.fluxmark.aggregate.value.Numbers;
import io.fluxmark.aggregate.value.Term;
import io.fluxmark.aggregate.value.Value;
import io.fluxmark.windows.Accumulation;
import io.fluxmark.windows.Counter;
import io.fluxmark.windows.Counters;
import io.fluxmark.windows.Early;
import io.fluxmark.windows.StreamElement;
import io.fluxmark.windows.WatermarkSpec;
import io.fluxmark.windows.WindowResult;
import io.fluxmark.windows.WindowSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** The pipeline equals the batch result on random input, in every mode; and the check finds what is made wrong. */
class BatchCheckTest {

    private static final boolean THOROUGH = "thorough".equals(System.getProperty("fluxmark.tier"));
    private static final int CASES = THOROUGH ? 20_000 : 600;
    private static final List<Term> TERMS = Term.parse("count,sum:v,min:v,max:v,avg:v");
    private static final List<Accumulation> MODES = List.of(Accumulation.values());
    private static final String[] WINDOWS = {
        "tumbling:10ms",
        "tumbling:10ms+3ms",
        "sliding:10ms/5ms",
        "sliding:10ms/4ms-1ms",
        "sliding:5ms/10ms",
        "sliding:7ms/3ms",
        "session:3ms",
        "session:5ms",
        "session:10ms",
        "count:1",
        "count:4",
        "global",
        "day:UTC"
    };

    private record Run(Verdict verdict, List<WindowResult<Object, Value>> results, Counters counters) {}

    private static List<Event> events(Random random, int partitions) {
        List<Event> events = new ArrayList<>();
        long arrival = 100;
        for (int i = 0; i < 40; i++) {
            arrival += random.nextInt(6);
            long time = arrival - 100 - random.nextInt(random.nextInt(5) == 0 ? 60 : 12);
            Number number = Numbers.parse(random.nextInt(4) + (random.nextInt(3) == 0 ? ".25" : ""));
            Number value = random.nextInt(6) == 0 ? null : number;
            List<Number> numbers = Arrays.asList(null, value, value, value, value);
            String key = "k" + random.nextInt(3);
            String id = key + "-" + Math.floorMod(time, 5);
            events.add(new Event(i + 1, key, random.nextInt(partitions), time, arrival, numbers, null, id));
        }
        return events;
    }

    private static PipelineSettings settings(WindowSpec windows, long delay, boolean side, long request, int runSize) {
        return settings(windows, watermarks(delay), side, false, request, runSize);
    }

    private static WatermarkSpec watermarks(long delay) {
        return WatermarkSpec.boundedOutOfOrderness(Duration.ofMillis(delay));
    }

    private static PipelineSettings settings(
            WindowSpec windows, WatermarkSpec watermarks, boolean side, boolean global, long request, int runSize) {
        return new PipelineSettings(windows, watermarks, TERMS, side, global ? 3 : 1, global, request, runSize);
    }

    private static WatermarkSpec randomWatermarks(Random random) {
        WatermarkSpec spec = watermarks(random.nextInt(3) * 6L);
        if (random.nextInt(3) == 0) {
            spec = spec.idleAfter(Duration.ofMillis(1 + random.nextInt(8)));
        }
        return random.nextInt(3) == 0 ? spec.followClockWhenIdle(Duration.ofMillis(1 + random.nextInt(6))) : spec;
    }

    private static Run run(
            WindowText windows,
            PipelineSettings settings,
            List<Event> events,
            UnaryOperator<List<WindowResult<Object, Value>>> defect) {
        BatchCheck check = new BatchCheck(windows, settings);
        List<WindowResult<Object, Value>> results = new ArrayList<>();
        WindowRun run = WindowRun.onArrivals(settings, new RunListener() {
            @Override
            public void result(WindowResult<Object, Value> result, long at) {
                results.add(result);
            }

            @Override
            public void timed(StreamElement<Event> element) {
                check.timed(element);
            }
        });
        events.forEach(run::event);
        run.finish();
        defect.apply(results).forEach(check::result);
        assertThat(run.stateEntries()).isZero();
        return new Run(check.verdict(run.counters()), results, run.counters());
    }

    @Test
    void s51TheOutputOfEveryWindowAndModeEqualsTheBatchResult() {
        Random random = new Random(20);
        Random ofDedupes = new Random(21);
        long duplicates = 0;
        for (int c = 0; c < CASES; c++) {
            WindowText named = WindowText.parse(WINDOWS[random.nextInt(WINDOWS.length)]);
            WindowSpec windows = named.spec()
                    .allowedLateness(Duration.ofMillis(new long[] {0, 4, 30}[random.nextInt(3)]))
                    .accumulation(MODES.get(random.nextInt(3)));
            boolean refused =
                    windows.kind() == WindowSpec.Kind.SESSION && windows.accumulation() != Accumulation.RETRACT;
            int early = refused ? 0 : random.nextInt(3);
            if (early == 1) {
                windows = windows.early(Early.everyCount(1 + random.nextInt(3)));
            } else if (early == 2) {
                windows = windows.early(Early.every(Duration.ofMillis(1 + random.nextInt(20))));
            }
            WindowText text = named.with(windows);
            WatermarkSpec watermarks = randomWatermarks(random);
            boolean side = random.nextBoolean();
            boolean global = random.nextBoolean();
            List<Event> events = events(random, global ? 3 : 1);
            Duration ids = Duration.ofMillis(windows.allowedLatenessMillis() + 1 + ofDedupes.nextInt(20));
            UnaryOperator<PipelineSettings> dedupe =
                    ofDedupes.nextBoolean() ? settings -> settings.deduping(ids) : settings -> settings;
            PipelineSettings whole = dedupe.apply(settings(windows, watermarks, side, global, Long.MAX_VALUE, 256));
            Run run = run(text, whole, events, results -> results);
            duplicates += run.counters().get(Counter.DUPLICATES);
            assertThat(run.counters().sumHolds()).isTrue();
            assertThat(run.verdict().first())
                    .as("case %d: %s, global %s", c, windows, global)
                    .isEmpty();
            Run other = run(
                    text,
                    dedupe.apply(
                            settings(windows, watermarks, side, global, 1 + random.nextInt(3), 1 + random.nextInt(4))),
                    events,
                    results -> results);
            boolean all = whole.timeToLive() == 0;
            assertThat(shown(other.results(), all))
                    .as("case %d: %s, global %s, ids for %s", c, windows, global, ids)
                    .isEqualTo(shown(run.results(), all));
        }
        System.out.println("BatchCheckTest: " + CASES + " cases with " + duplicates + " duplicates, seed 20");
        assertThat(duplicates).isGreaterThan(CASES);
    }

    /** Behind a dedupe, as behind every filter, the watermark at which a window fires depends on runs; nothing else does. */
    private static List<String> shown(List<WindowResult<Object, Value>> results, boolean withWatermarks) {
        return results.stream()
                .map(WindowResult::toString)
                .map(text -> withWatermarks ? text : text.replaceAll("watermark=-?\\d+", ""))
                .toList();
    }

    private static long found(String window, UnaryOperator<List<WindowResult<Object, Value>>> defect) {
        WindowText named = WindowText.parse(window);
        WindowText text = named.with(named.spec().allowedLateness(Duration.ofMillis(30)));
        List<Event> events = events(new Random(5), 1);
        return run(text, settings(text.spec(), 6, false, Long.MAX_VALUE, 256), events, defect)
                .verdict()
                .differences();
    }

    @Test
    void whatIsMadeWrongIsFound() {
        for (String window : new String[] {"tumbling:10ms", "sliding:10ms/4ms", "session:5ms", "count:4", "global"}) {
            assertThat(found(window, results -> results)).isZero();
            assertThat(found(window, results -> results.subList(1, results.size())))
                    .as("a result is missing")
                    .isPositive();
            assertThat(found(window, results -> {
                        List<WindowResult<Object, Value>> twice = new ArrayList<>(results);
                        twice.add(results.get(results.size() - 1));
                        return twice;
                    }))
                    .as("a result comes twice")
                    .isPositive();
            assertThat(found(window, results -> {
                        List<WindowResult<Object, Value>> wrong = new ArrayList<>(results);
                        WindowResult<Object, Value> last = wrong.remove(wrong.size() - 1);
                        List<Number> numbers = new ArrayList<>(last.value().numbers());
                        numbers.set(0, 99L);
                        wrong.add(new WindowResult<>(
                                last.key(),
                                last.window(),
                                new Value(TERMS, numbers),
                                last.kind(),
                                last.revision(),
                                last.late(),
                                last.watermark()));
                        return wrong;
                    }))
                    .as("a value is wrong")
                    .isPositive();
        }
        assertThat(found("tumbling:10ms", results -> results.stream()
                        .filter(result -> !result.isRetraction())
                        .toList()))
                .as("retractions are missing")
                .isPositive();
    }

    @Test
    void aDuplicateThatCountsIsFound() {
        WindowText text = WindowText.parse("tumbling:10ms");
        PipelineSettings settings = settings(text.spec(), 6, false, Long.MAX_VALUE, 256);
        BatchCheck check = new BatchCheck(text, settings.deduping(Duration.ofMillis(40)));
        WindowRun run = WindowRun.onArrivals(settings, new RunListener() {
            @Override
            public void result(WindowResult<Object, Value> result, long at) {
                check.result(result);
            }

            @Override
            public void timed(StreamElement<Event> element) {
                check.timed(element);
            }
        });
        events(new Random(5), 1).forEach(run::event);
        run.finish();
        assertThat(check.verdict(run.counters()).first())
                .anyMatch(difference -> difference.startsWith("duplicates: the batch has "));
    }

    @Test
    void aCounterThatIsWrongIsFound() {
        WindowText text = WindowText.parse("tumbling:10ms");
        PipelineSettings settings = settings(text.spec(), 0, false, Long.MAX_VALUE, 256);
        BatchCheck check = new BatchCheck(text, settings);
        List<WindowResult<Object, Value>> results = new ArrayList<>();
        WindowRun run = WindowRun.onArrivals(settings, (result, at) -> results.add(result));
        List<Event> events = events(new Random(5), 1);
        events.forEach(run::event);
        run.finish();
        assertThat(check.verdict(run.counters()).first())
                .anyMatch(text1 -> text1.startsWith("accepted events: the batch has 0, the run "));
    }
}
