package io.fluxmark.sinks;

import static org.assertj.core.api.Assertions.assertThat;

import io.fluxmark.windows.CheckpointSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.test.scheduler.VirtualTimeScheduler;

class CommitDeadlineTest {

    private final VirtualTimeScheduler clock = VirtualTimeScheduler.create();
    private final List<String> failures = new ArrayList<>();
    private final CheckpointSpec spec =
            CheckpointSpec.everyEvents(1).scheduler(clock).timeout(Duration.ofSeconds(10));

    @AfterEach
    void dispose() {
        clock.dispose();
    }

    private CommitDeadline deadline(CheckpointSpec of) {
        return new CommitDeadline(of, "lane 3 of job j", failure -> failures.add(failure.getMessage()));
    }

    private void pass(long seconds) {
        clock.advanceTimeBy(Duration.ofSeconds(seconds));
    }

    @Test
    void timeRunsFromTheBarriersArrivalToTheCommit() {
        CommitDeadline deadline = deadline(spec);
        pass(100);
        deadline.reached(1);
        pass(9);
        assertThat(failures).isEmpty();
        pass(1);
        assertThat(failures).singleElement().asString().contains("transaction 1 of lane 3 of job j", "1 x PT10S");
    }

    @Test
    void aDurableCommitEndsItsTimeAndOneThatWaitedForItHasItsOwn() {
        CommitDeadline deadline = deadline(spec);
        deadline.reached(1);
        pass(6);
        deadline.reached(2);
        pass(3);
        deadline.durable();
        pass(6);
        assertThat(failures).isEmpty();
        pass(1);
        assertThat(failures).singleElement().asString().contains("transaction 2 ");
    }

    @Test
    void oneThatHasWaitedTooLongBehindAnotherIsLateWhenItsTurnComes() {
        CommitDeadline deadline = deadline(spec.tolerateTimeouts(1));
        deadline.reached(1);
        pass(1);
        deadline.reached(2);
        pass(18);
        deadline.durable();
        pass(10);
        assertThat(failures).isEmpty();
        pass(1);
        assertThat(failures).singleElement().asString().contains("transaction 2 ", "2 x PT10S");
    }

    @Test
    void timeOutsAreBorneInARowAndADurableCommitBeginsTheCountAnew() {
        CommitDeadline deadline = deadline(spec.tolerateTimeouts(2));
        for (int commit = 1; commit <= 5; commit++) {
            deadline.reached(commit);
            pass(29);
            deadline.durable();
        }
        assertThat(failures).isEmpty();
        deadline.reached(6);
        pass(30);
        assertThat(failures).singleElement().asString().contains("transaction 6 ", "3 x PT10S");
        pass(1_000);
        assertThat(failures).hasSize(1);
    }

    @Test
    void withoutALimitOrOnceDisposedNothingIsLate() {
        CommitDeadline none = deadline(CheckpointSpec.everyEvents(1).scheduler(clock));
        none.reached(1);
        CommitDeadline disposed = deadline(spec);
        disposed.reached(1);
        disposed.dispose();
        disposed.reached(2);
        pass(1_000_000);
        assertThat(failures).isEmpty();
        none.durable();
    }
}
