package io.fluxmark.log;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import reactor.core.CoreSubscriber;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;

class ReadSubscriptionTest {

    private final PartitionView view = new PartitionView("log", "t", 0, new SegmentList(List.of()), new Tail(0, 0, 0));
    private final ReadPlan plan =
            new ReadPlan(view, LogStorage.files(), 512, ReadOptions.from(0).to(5), Schedulers.boundedElastic());

    /** The worst moment: the reader has seen the tail, but does not wait for it to move yet. */
    @Test
    void aTailThatMovesBetweenLookingAndWaitingIsSeen() {
        AtomicBoolean moved = new AtomicBoolean();
        StepVerifier.create(new FluxRead<String>(plan) {
                    @Override
                    ReadSubscription<String> subscription(
                            CoreSubscriber<? super String> actual, ReadPlan fromPlan, Scheduler.Worker worker) {
                        return new ReadSubscription<>(actual, fromPlan, worker) {
                            @Override
                            @Nullable
                            String poll(PartitionCursor from, long endExclusive) {
                                if (moved.compareAndSet(false, true)) {
                                    view.publishTail(new Tail(1, 0, 100));
                                    view.wakeListeners();
                                    return null;
                                }
                                return "record";
                            }
                        };
                    }
                })
                .expectNext("record")
                .thenCancel()
                .verify(Logs.WAIT);
    }

    /** Likewise for the log being closed. */
    @Test
    void aCloseBetweenLookingAndWaitingIsSeen() {
        StepVerifier.create(new FluxRead<String>(plan) {
                    @Override
                    ReadSubscription<String> subscription(
                            CoreSubscriber<? super String> actual, ReadPlan fromPlan, Scheduler.Worker worker) {
                        return new ReadSubscription<>(actual, fromPlan, worker) {
                            @Override
                            @Nullable
                            String poll(PartitionCursor from, long endExclusive) {
                                view.publishClosed();
                                view.wakeListeners();
                                return null;
                            }
                        };
                    }
                })
                .expectError(LogClosedException.class)
                .verify(Logs.WAIT);
    }

    @Test
    void nothingFollowsAnError() {
        ReadPlan wrong =
                new ReadPlan(view, LogStorage.files(), 512, ReadOptions.from(7).to(9), Schedulers.boundedElastic());
        StepVerifier.create(FluxReadRecords.create(wrong))
                .expectError(OffsetOutOfRangeException.class)
                .verifyThenAssertThat(Logs.WAIT)
                .hasNotDroppedErrors()
                .hasNotDroppedElements();
    }
}
