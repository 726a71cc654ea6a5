package io.fluxmark.windows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fluxmark.windows.CombinedWatermark.State;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/** The watermark of several partitions, with the numbers of the semantics (S24-S31), and against a naive model. */
class CombinedWatermarkTest {

    private static CombinedWatermark bounded(int partitions, long delay) {
        return new CombinedWatermark(partitions, WatermarkSpec.boundedOutOfOrderness(Duration.ofMillis(delay)));
    }

    @Test
    void s25TheSmallestOfTheActiveAndNothingBeforeEachHasHadAnEvent() {
        CombinedWatermark combined = bounded(2, 5);
        combined.onEvent(0, 100);
        assertThat(combined.watermark()).isEqualTo(Watermark.NONE);
        combined.onEvent(1, 40);
        assertThat(combined.partition(1).watermark()).isEqualTo(34);
        assertThat(combined.watermark()).isEqualTo(34);
    }

    @Test
    void s26ANewPartitionNeitherTakesTheWatermarkBackNorLetsItRun() {
        CombinedWatermark two = bounded(2, 5);
        two.onEvent(0, 100);
        two.onEvent(1, 100);
        assertThat(two.watermark()).isEqualTo(94);
        CombinedWatermark three = bounded(3, 5);
        three.restore(two.state());
        assertThat(three.watermark()).isEqualTo(94);
        three.onEvent(2, 60);
        assertThat(three.partition(2).watermark()).isEqualTo(54);
        three.onEvent(0, 200);
        three.onEvent(1, 200);
        assertThat(three.watermark()).isEqualTo(94);
        three.onEvent(2, 130);
        assertThat(three.watermark()).isEqualTo(124);
    }

    @Test
    void s27AnIdlePartitionIsLeftOut() {
        CombinedWatermark combined = bounded(2, 5);
        combined.onEvent(0, 100);
        combined.onEvent(1, 40);
        combined.idle(1);
        assertThat(combined.watermark()).isEqualTo(94);
    }

    @Test
    void s29WhoReturnsFromIdleHoldsUntilItHasCaughtUp() {
        CombinedWatermark combined = bounded(2, 5);
        combined.onEvent(0, 100);
        combined.onEvent(1, 40);
        combined.idle(1);
        combined.onEvent(1, 50);
        assertThat(combined.partition(1).watermark()).isEqualTo(44);
        assertThat(combined.watermark()).isEqualTo(94);
        combined.onEvent(0, 120);
        assertThat(combined.watermark()).isEqualTo(94);
        combined.onEvent(1, 130);
        assertThat(combined.partition(1).watermark()).isEqualTo(124);
        assertThat(combined.watermark()).isEqualTo(114);
    }

    @Test
    void s30AllIdleIsTheLargestInEitherOrder() {
        for (int first : new int[] {0, 1}) {
            CombinedWatermark combined = bounded(2, 0);
            combined.onEvent(0, 11);
            combined.onEvent(1, 21);
            assertThat(combined.watermark()).isEqualTo(10);
            combined.idle(first);
            combined.idle(1 - first);
            assertThat(combined.watermark()).isEqualTo(20);
            assertThat(combined.noneBut(State.IDLE)).isTrue();
        }
    }

    @Test
    void s30AllIdleWithoutAnyEventIsNothing() {
        CombinedWatermark combined = bounded(2, 0);
        combined.idle(0);
        combined.idle(1);
        assertThat(combined.watermark()).isEqualTo(Watermark.NONE);
    }

    @Test
    void s31FinishedIsNotIdleAndNeverTheEndWhileOthersAreIdle() {
        CombinedWatermark combined = bounded(2, 0);
        combined.onEvent(0, 11);
        combined.onEvent(1, 21);
        combined.finish(0);
        combined.idle(1);
        assertThat(combined.watermark()).isEqualTo(20);
        combined.onEvent(1, 26);
        assertThat(combined.watermark()).isEqualTo(25);
        combined.finish(1);
        assertThat(combined.watermark()).isEqualTo(Watermark.END);
    }

    @Test
    void s31OneThatFinishesBehindTheOthersHoldsThemNoLonger() {
        CombinedWatermark combined = bounded(2, 0);
        combined.onEvent(0, 51);
        combined.onEvent(1, 21);
        combined.finish(0);
        assertThat(combined.watermark()).isEqualTo(20);
        combined.onEvent(1, 101);
        assertThat(combined.watermark()).isEqualTo(100);
    }

    @Test
    void c16WithoutPartitionsThereIsNoWatermark() {
        CombinedWatermark none = bounded(0, 0);
        none.restore(none.state());
        assertThat(none.watermark()).isEqualTo(Watermark.NONE);
    }

    @Test
    void s24ALowerWatermarkOfOneGeneratorIsIgnored() {
        CombinedWatermark combined = new CombinedWatermark(2, WatermarkSpec.generator(() -> new WatermarkGenerator() {
            @Override
            public long onEvent(long timestamp) {
                return timestamp - 1;
            }

            @Override
            public long[] state() {
                return new long[0];
            }

            @Override
            public void restore(long[] state) {
                // nothing is kept
            }
        }));
        combined.onEvent(1, 100);
        assertThat(combined.onEvent(0, 10)).isTrue();
        assertThat(combined.onEvent(0, 9)).isFalse();
        assertThat(combined.watermark()).isEqualTo(9);
        assertThat(combined.onEvent(0, 11)).isTrue();
        assertThat(combined.watermark()).isEqualTo(10);
    }

    @Test
    void s47AStateOfMorePartitionsIsRefusedWithBothNumbers() {
        long[] state = bounded(3, 0).state();
        assertThatThrownBy(() -> bounded(2, 0).restore(state))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("3 partitions")
                .hasMessageContaining("only 2");
    }

    /** By the words of the rules, from scratch after every step. */
    private static long naive(long[] own, State[] states, long before) {
        boolean active = Arrays.asList(states).contains(State.ACTIVE);
        boolean idle = Arrays.asList(states).contains(State.IDLE);
        long candidate = active || !idle ? Long.MAX_VALUE : Long.MIN_VALUE;
        for (int p = 0; p < own.length; p++) {
            if (active && states[p] == State.ACTIVE) {
                candidate = Math.min(candidate, own[p]);
            } else if (!active && states[p] == State.IDLE) {
                candidate = Math.max(candidate, own[p]);
            }
        }
        return Math.max(before, candidate);
    }

    @Property
    void anyScriptEqualsTheNaiveModelAndSoDoesOneRestoredAnywhere(@ForAll Random random) {
        int partitions = 1 + random.nextInt(random.nextBoolean() ? 5 : 40);
        long delay = random.nextInt(3) * 4L;
        CombinedWatermark combined = bounded(partitions, delay);
        long[] own = new long[partitions];
        State[] states = new State[partitions];
        Arrays.fill(own, Long.MIN_VALUE);
        Arrays.fill(states, State.ACTIVE);
        long expected = Long.MIN_VALUE;
        int steps = random.nextInt(120);
        for (int i = 0; i < steps; i++) {
            int p = random.nextInt(partitions);
            int what = random.nextInt(20);
            if (what < 14 && states[p] != State.FINISHED) {
                long timestamp = i + random.nextInt(40) - 20L;
                combined.onEvent(p, timestamp);
                own[p] = Math.max(own[p], timestamp - delay - 1);
                states[p] = State.ACTIVE;
            } else if (what < 17 && states[p] != State.FINISHED) {
                combined.idle(p);
                states[p] = State.IDLE;
            } else if (what == 17 && states[p] != State.FINISHED) {
                combined.activate(p);
                states[p] = State.ACTIVE;
            } else if (what == 18 && random.nextInt(4) == 0) {
                combined.finish(p);
                states[p] = State.FINISHED;
            }
            expected = naive(own, states, expected);
            assertThat(combined.watermark()).isEqualTo(expected);
            if (random.nextInt(10) == 0 && !Arrays.asList(states).contains(State.FINISHED)) {
                CombinedWatermark restored = bounded(partitions, delay);
                restored.restore(combined.state());
                assertThat(restored.watermark()).isEqualTo(expected);
                combined = restored;
            }
        }
        assertThat(combined.maximum())
                .isEqualTo(
                        Arrays.stream(own).max().getAsLong() == Long.MIN_VALUE
                                ? Long.MIN_VALUE
                                : Arrays.stream(own).max().getAsLong() + delay + 1);
    }
}
