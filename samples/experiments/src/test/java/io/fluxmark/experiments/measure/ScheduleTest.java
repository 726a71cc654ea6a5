package io.fluxmark.experiments.measure;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ScheduleTest {

    private static final long START = 7_000_000_000L;

    @Test
    void anEventIsDueOnceItsMomentHasComeAndHasThatAsItsTime() {
        Schedule schedule = new Schedule(START, 1_000, 10);

        assertThat(schedule.due(START - 1)).isZero();
        assertThat(schedule.due(START)).isZero();
        assertThat(schedule.due(START + 2_500_000)).isEqualTo(2);
        assertThat(schedule.dueNanos(0)).isEqualTo(START);
        assertThat(schedule.dueNanos(5_000)).isEqualTo(START + 5_000_000_000L);
        assertThat(schedule.event(5_000).timestamp()).isEqualTo(Playback.START + 5_000);
        assertThat(schedule.event(5_000).value()).isEqualTo(5_000);
        assertThat(schedule.event(5_000).key()).isBetween(0L, 9L);
    }
}
