package io.fluxmark.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class KillSwitchTest {

    private final AtomicInteger halts = new AtomicInteger();

    @Test
    void haltsRightAfterTheGivenNumberOfCommitsAndCountsEachOnce() {
        KillSwitch killSwitch = new KillSwitch(3, halts::incrementAndGet);

        killSwitch.committed(10);
        killSwitch.committed(10);
        killSwitch.committed(12);
        assertThat(halts).hasValue(0);
        killSwitch.committed(11);
        assertThat(halts).hasValue(1);
        killSwitch.committed(13);
        assertThat(halts).hasValue(1);
    }

    @Test
    void zeroMeansNever() {
        KillSwitch killSwitch = new KillSwitch(0, halts::incrementAndGet);

        killSwitch.committed(1);
        assertThat(halts).hasValue(0);
    }
}
