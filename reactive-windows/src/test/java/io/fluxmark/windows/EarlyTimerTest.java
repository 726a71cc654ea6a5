package io.fluxmark.windows;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import reactor.test.scheduler.VirtualTimeScheduler;

class EarlyTimerTest {

    @Test
    void aTickComesBehindWhateverElseIsDueAtItsTimeInWhateverOrderItWasSet() {
        VirtualTimeScheduler clock = VirtualTimeScheduler.create();
        List<String> done = new ArrayList<>();
        EarlyTimer timer = new EarlyTimer(clock, 5, () -> done.add("tick at " + clock.now(TimeUnit.MILLISECONDS)));
        clock.schedule(() -> done.add("before"), 5, TimeUnit.MILLISECONDS);
        timer.arm();
        clock.schedule(() -> done.add("behind"), 5, TimeUnit.MILLISECONDS);
        clock.advanceTimeBy(Duration.ofMillis(4));
        assertThat(done).isEmpty();
        clock.advanceTimeBy(Duration.ofMillis(1));
        assertThat(done).containsExactly("before", "behind", "tick at 5");
        assertThat(timer.isDue()).isTrue();
        timer.take();
        timer.arm();
        timer.dispose();
        clock.advanceTimeBy(Duration.ofMillis(5));
        assertThat(done).hasSize(3);
    }
}
