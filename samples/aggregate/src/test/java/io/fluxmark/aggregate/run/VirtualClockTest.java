package io.fluxmark.aggregate.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.scheduler.Scheduler;

class VirtualClockTest {

    private final VirtualClock clock = new VirtualClock(1_000);
    private final List<String> ran = new ArrayList<>();

    private void advance(long to) {
        for (long due = clock.nextDue(); due <= to; due = clock.nextDue()) {
            clock.moveTo(due);
            clock.runDue();
        }
        clock.moveTo(to);
    }

    private Runnable note(String name) {
        return () -> ran.add(name + "@" + clock.millis());
    }

    @Test
    void tasksRunAtTheirTimesInTheirOrder() {
        clock.schedule(note("c"), 30, TimeUnit.MILLISECONDS);
        clock.schedule(note("a"), 10, TimeUnit.MILLISECONDS);
        clock.schedule(note("b"), 10, TimeUnit.MILLISECONDS);
        clock.schedule(note("now"));
        clock.schedule(note("part"), 1_500_000, TimeUnit.NANOSECONDS);
        advance(1_029);
        assertThat(ran).containsExactly("now@1000", "part@1002", "a@1010", "b@1010");
        assertThat(clock.now(TimeUnit.MILLISECONDS)).isEqualTo(1_029);
        assertThat(clock.now(TimeUnit.NANOSECONDS)).isEqualTo(1_029_000_000L);
    }

    @Test
    void periodicTasksRunUntilTheyAreDisposedOf() {
        Disposable task = clock.schedulePeriodically(note("p"), 5, 10, TimeUnit.MILLISECONDS);
        advance(1_030);
        task.dispose();
        advance(1_100);
        assertThat(ran).containsExactly("p@1005", "p@1015", "p@1025");
        assertThat(clock.nextDue()).isEqualTo(Long.MAX_VALUE);
    }

    @Test
    void aTaskMayScheduleAndDispose() {
        Disposable victim = clock.schedule(note("victim"), 20, TimeUnit.MILLISECONDS);
        clock.schedule(
                () -> {
                    victim.dispose();
                    clock.schedule(note("next"));
                },
                20,
                TimeUnit.MILLISECONDS);
        advance(1_019);
        Disposable early = clock.schedule(note("early"), 0, TimeUnit.MILLISECONDS);
        early.dispose();
        advance(1_020);
        assertThat(ran).containsExactly("victim@1020", "next@1020");
        assertThat(early.isDisposed()).isTrue();
    }

    @Test
    void aWorkerTakesItsTasksWithIt() {
        Scheduler.Worker worker = clock.createWorker();
        for (int i = 0; i < 1_000; i++) {
            worker.schedule(note("w"), 1, TimeUnit.MILLISECONDS);
            advance(clock.millis() + 1);
        }
        assertThat(ran).hasSize(1_000);
        worker.schedule(note("late"), 1, TimeUnit.MILLISECONDS);
        worker.dispose();
        advance(10_000);
        assertThat(ran).hasSize(1_000);
        assertThatThrownBy(() -> worker.schedule(note("x"))).isInstanceOf(RejectedExecutionException.class);
    }

    @Test
    void theClockNeverGoesBack() {
        clock.moveTo(900);
        assertThat(clock.millis()).isEqualTo(1_000);
    }
}
