package io.fluxmark.windows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.ref.WeakReference;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import reactor.core.Scannable;

/** Sliding windows, accumulation, lateness and ceilings of windows with an end, with the numbers of docs/semantics.md. */
class FixedWindowsTest {

    private static final int KEYS = System.getProperty("fluxmark.tier", "small").equals("thorough") ? 100_000 : 20_000;
    private static final WindowSpec TEN = WindowSpec.tumbling(millis(10));
    private static final WindowSpec TEN_BY_FIVE = WindowSpec.sliding(millis(10), millis(5));

    private static Duration millis(long n) {
        return Duration.ofMillis(n);
    }

    private static List<String> bounds(WindowSpec windows, long timestamp) {
        return windows.windowsOf(timestamp).stream()
                .map(window -> "[" + window.start() + "," + window.end() + ")")
                .toList();
    }

    @Test
    void s07AnEventIsInEverySlidingWindowThatHoldsIt() {
        assertThat(bounds(TEN_BY_FIVE, 12)).containsExactly("[5,15)", "[10,20)");
        assertThat(bounds(TEN_BY_FIVE, 10)).containsExactly("[5,15)", "[10,20)");
        assertThat(bounds(TEN_BY_FIVE, -1)).containsExactly("[-10,0)", "[-5,5)");
        WindowSpec byFour = WindowSpec.sliding(millis(10), millis(4));
        assertThat(bounds(byFour, 12)).containsExactly("[4,14)", "[8,18)", "[12,22)");
        assertThat(bounds(byFour, 11)).hasSize(2);
        assertThat(WindowScript.of(TEN_BY_FIVE).run(12, 13, "WEND")).containsExactly("+[5,15):2", "+[10,20):2");
    }

    @Test
    void s07AFarAwayTimestampIsInTheWindowsThatHoldIt() {
        WindowSpec windows = WindowSpec.sliding(millis(1600), millis(700));
        for (long timestamp = 1_709_315_512_577L; timestamp < 1_709_315_512_577L + 1_600; timestamp += 7) {
            List<TimeWindow> found = windows.windowsOf(timestamp);
            assertThat(found).hasSizeBetween(2, 3);
            for (TimeWindow window : found) {
                assertThat(timestamp).isBetween(window.start(), window.maxTimestamp());
            }
        }
    }

    @Test
    void s07SoManyWindowsPerEventAreRefused() {
        assertThatThrownBy(() -> WindowSpec.sliding(Duration.ofDays(1), millis(1)))
                .hasMessageContaining("86400000 windows")
                .hasMessageContaining("longer slide");
    }

    @Test
    void s08BetweenTheWindowsOfALongerSlideAnEventIsUnassigned() {
        WindowScript script = WindowScript.of(WindowSpec.sliding(millis(5), millis(10)));
        assertThat(script.run(12, 17, "WEND")).containsExactly("+[10,15):1");
        assertThat(script.count(Counter.INGESTED)).isEqualTo(2);
        assertThat(script.counters().accepted()).isEqualTo(1);
        assertThat(script.count(Counter.UNASSIGNED)).isEqualTo(1);
        assertThat(script.counters().sumHolds()).isTrue();
    }

    @Test
    void s11AnEventIsLateWindowByWindow() {
        WindowScript script = WindowScript.of(TEN_BY_FIVE);
        assertThat(script.run(12, "W14", 13, "WEND")).containsExactly("+[5,15):1", "+[10,20):2");
        assertThat(script.count(Counter.ACCEPTED_ASSIGNMENTS)).isEqualTo(3);
        assertThat(script.count(Counter.LATE_ASSIGNMENTS)).isEqualTo(1);
        assertThat(script.count(Counter.PARTIAL)).isEqualTo(1);
        assertThat(script.count(Counter.DROPPED)).isZero();
    }

    @Test
    void s11BehindTheWatermarkIsNotLateWhileTheWindowIsOpen() {
        assertThat(WindowScript.of(TEN).run("W5", 3, "W9")).containsExactly("+[0,10):1");
    }

    @Test
    void aLateEventNamesAllTheWindowsItMissedAndIsNeverLateByLessThanNothing() {
        WindowScript script = WindowScript.of(TEN_BY_FIVE).withSideOutput();
        script.run(3, "W19", 12, "WEND");
        assertThat(script.side()).hasSize(1);
        LateEvent<WindowScript.Event> late = script.side().get(0);
        assertThat(late.windows()).containsExactly(new TimeWindow(5, 15), new TimeWindow(10, 20));
        assertThat(late.lateBy()).isEqualTo(7);
        assertThat(script.count(Counter.LATE_ASSIGNMENTS)).isEqualTo(2);
    }

    @Test
    void aFiredWindowOfTenIsLateByTheWatermarkAndNotByItsStart() {
        WindowScript script = WindowScript.of(TEN).withSideOutput();
        script.run(5, "W9", 7);
        assertThat(script.side().get(0).lateBy()).isEqualTo(2);
    }

    @Test
    void aRefiringSlidingEventCorrectsEachOfItsFiredWindows() {
        WindowScript script = WindowScript.of(TEN_BY_FIVE.allowedLateness(millis(20)));
        assertThat(script.run(12, "W19", 13, "WEND"))
                .containsExactly("+[5,15):1", "+[10,20):1", "-[5,15):1", "+[5,15):2", "-[10,20):1", "+[10,20):2");
        assertThat(script.count(Counter.REFIRED)).isEqualTo(1);
        assertThat(script.count(Counter.ON_TIME)).isEqualTo(1);
    }

    @Test
    void s13AnEndlessLatenessNeedsATimeToLive() {
        WindowSpec endless = TEN.allowedLateness(WindowSpec.FOREVER);
        assertThatThrownBy(() -> WindowScript.of(endless).run(1)).hasMessageContaining("time-to-live");
        WindowScript bounded = WindowScript.of(endless.timeToLive(millis(10)));
        assertThat(bounded.run(1, "W18", 2, "W19", 3)).containsExactly("+[0,10):1", "-[0,10):1", "+[0,10):2");
        assertThat(bounded.count(Counter.DROPPED)).isEqualTo(1);
    }

    @Test
    void s15AccumulatingLeavesTheOldValueAndDiscardingSaysOnlyWhatIsNew() {
        WindowSpec lateness = TEN.allowedLateness(millis(10));
        Object[] script = {1, 5, "W12", 7, "W18", 2, "W19", 3};
        assertThat(WindowScript.of(lateness.accumulation(Accumulation.ACCUMULATE))
                        .run(script))
                .containsExactly("+[0,10):2", "+[0,10):3", "+[0,10):4");
        assertThat(WindowScript.of(lateness.accumulation(Accumulation.DISCARD)).run(script))
                .containsExactly("+[0,10):2", "+[0,10):1", "+[0,10):1");
    }

    @Test
    void everyResultSaysHowManyOfItsEventsWereLate() {
        List<WindowResult<String, Long>> results =
                WindowScript.of(TEN.allowedLateness(millis(10))).results(1, "W9", 2, 3);
        assertThat(results).extracting(WindowResult::late).containsExactly(0L, 0L, 1L, 1L, 2L);
        assertThat(results).extracting(WindowResult::revision).containsExactly(0, 0, 1, 1, 2);
    }

    @Test
    void aCeilingRefusesOrFailsButNeverHoldsOneMore() {
        WindowScript refusing = WindowScript.of(TEN.ceiling(new Ceiling(2, Ceiling.Policy.REFUSE)));
        assertThat(refusing.run("a@1", "b@2", "c@3", "a@4", "W9", "c@11", "WEND"))
                .containsExactly("+[0,10):2", "+[0,10):1", "+[10,20):1");
        assertThat(refusing.count(Counter.REFUSED)).isEqualTo(1);
        assertThat(refusing.count(Counter.DROPPED)).isEqualTo(1);
        assertThat(refusing.counters().sumHolds()).isTrue();

        WindowScript failing = WindowScript.of(TEN.ceiling(new Ceiling(2, Ceiling.Policy.FAIL)));
        assertThatThrownBy(() -> failing.run("a@1", "b@2", "c@3"))
                .hasMessageContaining("2 entries")
                .hasMessageContaining("raise the ceiling");
        assertThatThrownBy(() -> WindowScript.of(TEN.ceiling(new Ceiling(2, Ceiling.Policy.CLOSE_EARLIEST)))
                        .run(1))
                .hasMessageContaining("REFUSE");
    }

    /** Keys with one event each: when the watermark has passed them nothing is counted, and nothing is reachable. */
    @Test
    void s53OfKeysWithOneEventNothingIsLeftWhenTheWatermarkHasPassed() {
        List<Scannable> operators = new ArrayList<>();
        List<WeakReference<String>> keys = new ArrayList<>();
        for (WindowSpec windows : List.of(
                TEN,
                TEN.allowedLateness(millis(20)),
                TEN_BY_FIVE,
                WindowSpec.sliding(millis(50), millis(5)),
                WindowSpec.days(ZoneId.of("Europe/Berlin")))) {
            ManualSource<StreamElement<String>> source = new ManualSource<>();
            long[] results = {0};
            source.transform(Windows.aggregate(key -> key, windows, Aggregations.<String>counting()))
                    .subscribe(element -> results[0] += element instanceof EventBatch<?> run ? run.size() : 0);
            Scannable operator = Scannable.from(source.subscriber());
            operators.add(operator);
            for (int i = 0; i < KEYS; i++) {
                String key = "key" + i;
                keys.add(new WeakReference<>(key));
                source.next(EventBatch.<String>builder()
                        .add(key, i % 5, Watermark.NONE)
                        .build(Watermark.NONE));
            }
            assertThat(operator.scan(Scannable.Attr.LARGE_BUFFERED)).isGreaterThanOrEqualTo(KEYS);
            source.next(new Watermark<>(Duration.ofDays(2).toMillis()));
            assertThat(results[0]).isEqualTo((long) KEYS * windows.windowsOf(4).size());
            assertThat(operator.scan(Scannable.Attr.LARGE_BUFFERED))
                    .as("%s", windows)
                    .isEqualTo(0L);
        }
        long reachable = keys.size();
        for (int i = 0; i < 10 && reachable > EventBatch.MAX_SIZE; i++) {
            System.gc();
            reachable = keys.stream().filter(key -> key.get() != null).count();
        }
        assertThat(reachable).as("keys that are reachable").isLessThanOrEqualTo(EventBatch.MAX_SIZE);
        assertThat(operators).as("which are there still").allSatisfy(operator -> assertThat(
                        operator.scan(Scannable.Attr.TERMINATED))
                .isFalse());
        System.out.printf("keys with one event: %d in each of %d kinds of windows%n", KEYS, operators.size());
    }

    @Test
    void simultaneousFiringsComeByEndThenStartThenKey() {
        assertThat(WindowScript.of(TEN_BY_FIVE).results("b@12", "a@7", "a@12", "WEND"))
                .extracting(result -> result.window().start() + result.key())
                .containsExactly("0a", "5a", "5b", "10a", "10b");
    }

    @Test
    void badDefinitionsNameTheValueAndTheRemedy() {
        assertThatThrownBy(() -> WindowSpec.tumbling(Duration.ZERO)).hasMessageContaining("at least 1 ms but was PT0S");
        assertThatThrownBy(() -> TEN_BY_FIVE.offset(millis(5))).hasMessageContaining("-slide and slide");
        assertThatThrownBy(() -> WindowSpec.days(ZoneId.of("UTC")).offset(Duration.ofDays(1)))
                .hasMessageContaining("time of day");
        assertThatThrownBy(() -> WindowSpec.session(millis(5)).offset(millis(1)))
                .hasMessageContaining("no offset");
        assertThatThrownBy(() -> WindowSpec.count(0)).hasMessageContaining("at least 1 event");
    }
}
