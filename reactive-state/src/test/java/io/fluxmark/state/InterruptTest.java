package io.fluxmark.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** Disposing of a Reactor scheduler or a subscription interrupts its thread, wherever that is; the store must not care. */
class InterruptTest {

    private static final int ROUNDS = Stores.THOROUGH ? 5000 : 1000;

    @TempDir
    Path directory;

    @Test
    void disposedReadersAndInterruptedLanesLeaveTheStoreAlive() throws InterruptedException {
        Random random = new Random(1000);
        AtomicInteger interrupted = new AtomicInteger();
        Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
        // A tiny cache, so that reads really go to the file.
        try (StateStore store = Stores.open(directory, StoreSpec.defaults().cacheMegabytes(1))) {
            LaneSession lane = Stores.lane(store, 0);
            fill(lane);
            LaneSession other = Stores.lane(store, 1);
            for (int round = 0; round < ROUNDS; round++) {
                Scheduler scheduler = Schedulers.newSingle("victim");
                CountDownLatch started = new CountDownLatch(1);
                Disposable reader =
                        switch (round % 3) {
                            case 0 ->
                                store.read(StoreTable.ROWS, new byte[0], null)
                                        .doOnNext(entry -> started.countDown())
                                        .subscribeOn(scheduler)
                                        .subscribe(entry -> {}, failures::add);
                            case 1 ->
                                Mono.fromRunnable(() -> {
                                            started.countDown();
                                            for (int i = 0;
                                                    i < 300
                                                            && !Thread.currentThread()
                                                                    .isInterrupted();
                                                    i++) {
                                                lane.get(StoreTable.STATE, Stores.bytes(random.nextInt(20_000)));
                                            }
                                            // An interrupted lane may still read; the flag stays for whoever looks at
                                            // it.
                                            boolean before =
                                                    Thread.currentThread().isInterrupted();
                                            assertThat(lane.get(StoreTable.STATE, Stores.bytes(random.nextInt(20_000))))
                                                    .isNotNull();
                                            lane.scan(StoreTable.STATE, Stores.bytes(random.nextInt(20_000)), null, 50);
                                            if (before && Thread.currentThread().isInterrupted()) {
                                                interrupted.incrementAndGet();
                                            }
                                        })
                                        .subscribeOn(scheduler)
                                        .subscribe(nothing -> {}, failures::add);
                            default ->
                                store.commits()
                                        .doOnNext(number -> started.countDown())
                                        .publishOn(scheduler)
                                        .subscribe(number -> {}, failures::add);
                        };
                LaneTransaction transaction = other.begin();
                transaction.put(StoreTable.CHANGELOG, Stores.bytes(transaction.id()), new byte[50]);
                Mono<StoreCommit> commit = other.submit(transaction).cache();
                commit.subscribe();
                assertThat(started.await(30, TimeUnit.SECONDS)).isTrue();
                if (round % 2 == 0) {
                    reader.dispose();
                }
                scheduler.dispose();
                Stores.await(commit);
            }
            // Signals for a disposed scheduler are turned away; everything else would be the store's doing.
            failures.removeIf(RejectedExecutionException.class::isInstance);
            assertThat(failures).isEmpty();
            assertThat(Stores.await(store.info()).reopenings()).isZero();
            assertThat(other.committedTransaction()).isEqualTo(ROUNDS);
            assertThat(store.read(StoreTable.CHANGELOG, new byte[0], null)
                            .count()
                            .block(Stores.PATIENCE))
                    .isEqualTo(ROUNDS);
            System.out.printf(
                    "interrupts: %d disposes, seed 1000, %d lane reads finished with the flag set%n",
                    ROUNDS, interrupted.get());
        }
        try (StateStore store = Stores.open(directory)) {
            assertThat(Stores.lane(store, 1).restored().transaction()).isEqualTo(ROUNDS);
        }
    }

    @Test
    void readOfAnInterruptedThreadSucceedsAndKeepsTheFlag() {
        try (StateStore store = Stores.open(directory, StoreSpec.defaults().cacheMegabytes(1))) {
            LaneSession lane = Stores.lane(store, 0);
            fill(lane);
            for (long key = 0; key < 20_000; key += 97) {
                Thread.currentThread().interrupt();
                byte[] value = lane.get(StoreTable.STATE, Stores.bytes(key));
                assertThat(Thread.interrupted()).isTrue();
                assertThat(value).isNotNull();
            }
        }
    }

    private static void fill(LaneSession lane) {
        LaneTransaction transaction = lane.begin();
        for (long key = 0; key < 20_000; key++) {
            transaction.put(StoreTable.STATE, Stores.bytes(key), new byte[150]);
            transaction.put(StoreTable.ROWS, Stores.bytes(key), new byte[150]);
        }
        Stores.await(lane.submit(transaction));
    }
}
