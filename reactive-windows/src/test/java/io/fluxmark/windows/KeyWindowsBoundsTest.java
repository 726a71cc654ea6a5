package io.fluxmark.windows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/** What bounds the state of windows that live per key: time-to-live (S43), ceilings, and forgetting what is over. */
class KeyWindowsBoundsTest {

    private static final int KEYS = 100_000;

    private static Duration ms(long millis) {
        return Duration.ofMillis(millis);
    }

    private static WindowSpec session(long gap) {
        return WindowSpec.session(ms(gap));
    }

    private static LogicDriver onHeap(WindowSpec windows) {
        return new LogicDriver(windows, StateBackend.heap());
    }

    @Test
    void s43TheDeadlineFollowsTheLargestTimestampThatTouched() {
        for (WindowSpec windows : List.of(session(1000), WindowSpec.count(9), WindowSpec.global())) {
            LogicDriver driver = onHeap(windows.timeToLive(ms(100)));
            driver.event("k", 50).event("k", 40).watermark(149);
            assertThat(driver.out()).isEmpty();
            assertThat(driver.logic.entries()).isEqualTo(1);
            driver.watermark(150);
            assertThat(driver.out()).singleElement().asString().endsWith(":2");
            assertThat(driver.logic.entries()).isZero();
            assertThat(driver.count(Counter.EXPIRED)).isEqualTo(1);
            assertThat(driver.count(Counter.FIRES_ON_TIME)).isEqualTo(1);
            assertThat(driver.logic.indexSize()).isZero();
        }
    }

    @Test
    void s43ATouchPutsTheDeadlineOff() {
        LogicDriver driver = onHeap(WindowSpec.global().timeToLive(ms(100)));
        driver.event("k", 0);
        for (int time = 50; time <= 1000; time += 50) {
            driver.event("k", time).watermark(time + 49L);
        }
        assertThat(driver.out()).isEmpty();
        driver.watermark(1099);
        assertThat(driver.out()).isEmpty();
        driver.watermark(1100);
        assertThat(driver.out()).hasSize(1);
    }

    @Test
    void s43WhatHasExpiredIsInvisibleAtOnceAndTheNextEventBeginsAnew() {
        LogicDriver driver = onHeap(session(1000).timeToLive(ms(100)));
        driver.event("k", 50).watermark(150).event("k", 160).watermark(2000);
        assertThat(driver.out()).containsExactly("k+[50,1050):1", "k+[160,1160):1");
        LogicDriver count = onHeap(WindowSpec.count(2).timeToLive(ms(100)));
        count.event("k", 50).watermark(150).event("k", 160).event("k", 161);
        assertThat(count.out()).containsExactly("k+[50,51):1", "k+[160,162):2");
        assertThat(count.count(Counter.EXPIRED)).isEqualTo(1);
    }

    @Test
    void s43AnEventThatIsOlderThanTheTimeToLiveIsLateForASessionAndExpiresAtOnceElsewhere() {
        LogicDriver session = onHeap(session(10).allowedLateness(ms(1000)).timeToLive(ms(100)));
        session.watermark(200).event("k", 100);
        assertThat(session.count(Counter.DROPPED)).isEqualTo(1);
        session.event("k", 101);
        assertThat(session.out()).containsExactly("k+[101,111):1");
        LogicDriver count = onHeap(WindowSpec.count(3).timeToLive(ms(100)));
        count.watermark(200).event("k", 100);
        assertThat(count.out()).containsExactly("k+[100,101):1");
        assertThat(count.count(Counter.EXPIRED)).isEqualTo(1);
        assertThat(count.logic.entries()).isZero();
    }

    @Test
    void s43ALatenessWithoutEndIsBoundedByTheTimeToLive() {
        WindowSpec windows = session(10).allowedLateness(WindowSpec.FOREVER).timeToLive(ms(100));
        LogicDriver driver = onHeap(windows);
        driver.event("k", 0).watermark(99).event("k", 2);
        assertThat(driver.out()).containsExactly("k+[0,10):1", "k-[0,10):1", "k+[0,12):2");
        driver.watermark(101);
        assertThat(driver.logic.entries()).isEqualTo(1);
        driver.watermark(102);
        assertThat(driver.logic.entries()).isZero();
        assertThat(driver.count(Counter.EXPIRED)).isZero();
    }

    private static List<WindowSpec> forgetting() {
        return List.of(
                session(10),
                session(10).allowedLateness(ms(50)),
                session(1000).timeToLive(ms(50)),
                session(10).allowedLateness(WindowSpec.FOREVER).timeToLive(ms(50)),
                WindowSpec.count(2).timeToLive(ms(50)),
                WindowSpec.global().timeToLive(ms(50)));
    }

    /** C37: a session operator must not keep a husk of each key. */
    @Test
    void s43OfKeysWithOneEventNothingIsLeft() {
        for (WindowSpec windows : forgetting()) {
            LogicDriver driver = onHeap(windows);
            for (int i = 0; i < KEYS; i++) {
                driver.event("key" + i, i % 1000);
            }
            assertThat(driver.logic.entries()).isEqualTo(KEYS);
            driver.watermark(1100);
            assertThat(driver.out()).as("%s", windows).hasSize(KEYS);
            assertThat(driver.logic.entries()).isZero();
            assertThat(driver.logic.keys()).isZero();
            assertThat(driver.logic.indexSize()).isZero();
        }
    }

    @Test
    void s43OfKeysWithOneEventNothingIsLeftAlsoAcrossARestart() {
        for (WindowSpec windows : forgetting()) {
            StoredState state = new StoredState();
            LogicDriver driver = new LogicDriver(windows, state);
            for (int i = 0; i < KEYS / 10; i++) {
                driver.event("key" + i, i % 1000);
            }
            driver.barrier(state.begin());
            assertThat(state.entries("window-1")).isEqualTo(KEYS / 10);
            assertThat(state.entries("window-1/ends")).isEqualTo(KEYS / 10);
            state = state.restarted();
            driver = new LogicDriver(windows, state);
            assertThat(driver.logic.entries()).isEqualTo(KEYS / 10);
            driver.watermark(1100);
            assertThat(driver.out()).hasSize(KEYS / 10);
            driver.barrier(state.begin());
            assertThat(state.entries("window-1")).isZero();
            assertThat(state.entries("window-1/ends")).isZero();
        }
    }

    @Test
    void aKeyThatStaysWhileOthersPassKeepsNothingOfThem() {
        for (WindowSpec windows : forgetting()) {
            LogicDriver driver = onHeap(windows);
            for (int i = 0; i < 20_000; i++) {
                driver.event("hot", i).event("key" + i, i).watermark(i - 5L);
            }
            assertThat(driver.logic.entries()).as("%s", windows).isLessThan(1200);
            assertThat(driver.logic.indexSize()).as("%s", windows).isLessThan(3000);
        }
    }

    /** However long the sessions might become: the index in the store is of what lives. */
    @Test
    void s43TheStoredIndexForgetsKeysWithTheirTimeToLive() {
        StoredState state = new StoredState();
        LogicDriver driver = new LogicDriver(session(10_800_000).timeToLive(ms(100)), state);
        for (int i = 0; i < 5_000; i++) {
            driver.event("key" + i, i).watermark(i - 5L);
            if (i % 50 == 0) {
                driver.barrier(state.begin());
            }
        }
        assertThat(driver.logic.entries()).isEqualTo(105);
        assertThat(state.entries("window-1")).isLessThan(200);
        assertThat(state.entries("window-1/ends")).isLessThan(300);
    }

    @Test
    void aCeilingFailsWithTheOperatorAndTheRemedy() {
        LogicDriver driver = onHeap(session(10).ceiling(new Ceiling(2, Ceiling.Policy.FAIL)));
        driver.event("a", 0).event("b", 0).event("a", 5);
        assertThatThrownBy(() -> driver.event("c", 0))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("window-1")
                .hasMessageContaining("2 entries")
                .hasMessageContaining("raise the ceiling");
    }

    @Test
    void aCeilingRefusesWhatWouldBeOneMoreAndTakesWhatJoins() {
        LogicDriver driver = onHeap(session(10).ceiling(new Ceiling(2, Ceiling.Policy.REFUSE)));
        driver.event("a", 0).event("a", 20).event("a", 40).event("b", 0).event("a", 12);
        assertThat(driver.count(Counter.REFUSED)).isEqualTo(2);
        assertThat(driver.count(Counter.DROPPED)).isEqualTo(2);
        assertThat(driver.count(Counter.LATE_ASSIGNMENTS)).isEqualTo(2);
        driver.watermark(100);
        assertThat(driver.out()).containsExactly("a+[0,10):1", "a+[12,30):2");
        for (WindowSpec windows : List.of(WindowSpec.count(3), WindowSpec.global())) {
            LogicDriver other = onHeap(windows.ceiling(new Ceiling(1, Ceiling.Policy.REFUSE)));
            other.event("a", 0).event("b", 0).event("a", 1);
            assertThat(other.count(Counter.REFUSED)).isEqualTo(1);
            assertThat(other.counters.snapshot().sumHolds()).isTrue();
        }
    }

    @Test
    void aCeilingClosesTheSessionThatWouldCloseFirst() {
        LogicDriver driver = onHeap(session(10).ceiling(new Ceiling(2, Ceiling.Policy.CLOSE_EARLIEST)));
        driver.event("a", 5).event("b", 0).event("b", 7).event("c", 6);
        assertThat(driver.out()).containsExactly("a+[5,15):1");
        assertThat(driver.count(Counter.EXPIRED)).isEqualTo(1);
        assertThat(driver.count(Counter.REFUSED)).isZero();
        driver.event("d", 2);
        assertThat(driver.out()).containsExactly("c+[6,16):1");
        driver.watermark(100);
        assertThat(driver.out()).containsExactly("d+[2,12):1", "b+[0,17):2");
    }

    @Test
    void aCeilingForgetsASessionThatHasFiredWithoutASecondResult() {
        LogicDriver driver =
                onHeap(session(10).allowedLateness(ms(20)).ceiling(new Ceiling(1, Ceiling.Policy.CLOSE_EARLIEST)));
        driver.event("a", 0).watermark(9);
        assertThat(driver.out()).containsExactly("a+[0,10):1");
        driver.event("b", 30);
        assertThat(driver.out()).isEmpty();
        assertThat(driver.count(Counter.EXPIRED)).isEqualTo(1);
        assertThat(driver.logic.entries()).isEqualTo(1);
    }

    @Test
    void aCeilingClosesTheCountAndGlobalWindowWhoseNewestEventIsTheOldest() {
        LogicDriver count = onHeap(WindowSpec.count(9).ceiling(new Ceiling(2, Ceiling.Policy.CLOSE_EARLIEST)));
        count.event("a", 1).event("b", 2).event("a", 3).event("c", 0);
        assertThat(count.out()).containsExactly("b+[2,3):1");
        count.event("d", 9);
        assertThat(count.out()).containsExactly("c+[0,1):1");
        LogicDriver global = onHeap(WindowSpec.global().ceiling(new Ceiling(1, Ceiling.Policy.CLOSE_EARLIEST)));
        global.event("a", 1).event("b", 2);
        assertThat(global.out()).singleElement().asString().startsWith("a+").endsWith(":1");
    }

    @Property
    void aCeilingIsNeverExceededAndTheSumHoldsAfterEveryStep(@ForAll Random random) {
        List<WindowSpec> kinds = List.of(
                session(10),
                session(10).allowedLateness(ms(20)),
                session(30).timeToLive(ms(20)),
                session(10).early(Early.everyCount(2)),
                WindowSpec.count(3),
                WindowSpec.global(),
                WindowSpec.global().timeToLive(ms(15)));
        for (WindowSpec kind : kinds) {
            for (Ceiling.Policy policy : List.of(Ceiling.Policy.REFUSE, Ceiling.Policy.CLOSE_EARLIEST)) {
                int most = 1 + random.nextInt(5);
                LogicDriver driver = onHeap(kind.ceiling(new Ceiling(most, policy)));
                long ingested = 0;
                for (int i = 0; i < 60; i++) {
                    if (random.nextInt(4) == 0) {
                        driver.watermark(driver.results.watermark
                                + random.nextInt(12)
                                + (driver.results.watermark == Watermark.NONE ? Long.MAX_VALUE : 0));
                    }
                    driver.event("k" + random.nextInt(8), random.nextInt(60) + i);
                    ingested++;
                    WindowStatus status = driver.logic.status();
                    assertThat(status.entries()).isBetween(0L, (long) most);
                    assertThat(status.openWindows()).isLessThanOrEqualTo(status.entries());
                    assertThat(driver.count(Counter.INGESTED)).isEqualTo(ingested);
                    assertThat(driver.counters.snapshot().sumHolds()).isTrue();
                }
                List<String> before = new ArrayList<>(driver.out());
                driver.watermark(Watermark.END);
                assertThat(driver.logic.entries()).isZero();
                assertThat(driver.logic.indexSize()).isZero();
                assertThat(before.size() + driver.out().size()).isPositive();
            }
        }
    }

    @Test
    void theStatusTellsTheOpenWindowsAndTheNextToFire() {
        LogicDriver driver = onHeap(session(10).allowedLateness(ms(100)));
        assertThat(driver.logic.status()).isEqualTo(new WindowStatus(Watermark.NONE, 0, 0, null));
        driver.event("a", 0).event("a", 30).event("b", 12).event("b", 14).watermark(10);
        assertThat(driver.logic.status()).isEqualTo(new WindowStatus(10, 2, 3, new TimeWindow(12, 24)));
        driver.watermark(25);
        assertThat(driver.logic.status()).isEqualTo(new WindowStatus(25, 1, 3, new TimeWindow(30, 40)));
        driver.watermark(300);
        assertThat(driver.logic.status()).isEqualTo(new WindowStatus(300, 0, 0, null));
        LogicDriver global = onHeap(WindowSpec.global()).event("a", 0).event("b", 0);
        assertThat(global.logic.status())
                .isEqualTo(new WindowStatus(Watermark.NONE, 2, 2, new TimeWindow(Long.MIN_VALUE, Long.MAX_VALUE)));
        LogicDriver count = onHeap(WindowSpec.count(3)).event("a", 0);
        assertThat(count.logic.status()).isEqualTo(new WindowStatus(Watermark.NONE, 1, 1, null));
    }
}
