package io.fluxmark.sinks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fluxmark.state.StoreTable;
import io.fluxmark.windows.CheckpointSpec;
import io.fluxmark.windows.Codec;
import io.fluxmark.windows.KeyCodec;
import io.fluxmark.windows.PlainBatch;
import io.fluxmark.windows.WindowResult;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.reactivestreams.Publisher;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** Results handed to a function, at least once. */
class OutboxSinkTest {

    private static final Codec<WindowResult<String, Long>> RESULTS =
            TransactionalSink.resultCodec(KeyCodec.tagged(), Codec.longs());
    private static final DeliverySpec QUICK =
            DeliverySpec.defaults().attempts(4, Duration.ofMillis(1), Duration.ofMillis(2));

    @TempDir
    Path directory;

    private JobPlace place;

    /** What has arrived, in the order of arrival. */
    private final List<OutboxDelivery<WindowResult<String, Long>>> arrived =
            Collections.synchronizedList(new ArrayList<>());

    @BeforeEach
    void open() {
        place = JobPlace.open(directory);
    }

    @AfterEach
    void close() {
        place.close();
    }

    private OutboxSink<WindowResult<String, Long>> outbox(
            Function<OutboxDelivery<WindowResult<String, Long>>, Publisher<?>> receiver) {
        return TransactionalSink.outbox(place.store(), "out", RESULTS, WindowResult::key, receiver)
                .delivery(QUICK);
    }

    private void drain(OutboxSink<WindowResult<String, Long>> outbox) {
        place.job(outbox, CheckpointSpec.everyEvents(100).drainWhen(Mono.empty()))
                .blockLast(Ticks.PATIENCE);
    }

    private List<Ticks.Tick> append(int count, long seed) {
        List<Ticks.Tick> ticks = Ticks.random(count, seed);
        Ticks.append(place.topic(), ticks);
        return ticks;
    }

    private static String name(OutboxDelivery<?> delivery) {
        return delivery.job() + "/" + delivery.lane() + "/" + delivery.number();
    }

    /** Leaves out what had arrived before; what is left has to be each row once, in order of each key. */
    private List<WindowResult<String, Long>> firstArrivals() {
        Set<String> names = new HashSet<>();
        Map<String, Long> newest = new HashMap<>();
        List<WindowResult<String, Long>> first = new ArrayList<>();
        for (OutboxDelivery<WindowResult<String, Long>> delivery : arrived) {
            if (names.add(name(delivery))) {
                first.add(delivery.value());
                Long before = newest.put(delivery.value().key(), delivery.number());
                assertThat(before == null ? -1 : before)
                        .as(
                                "number before %s of key %s",
                                name(delivery), delivery.value().key())
                        .isLessThan(delivery.number());
            }
        }
        return first;
    }

    private long outboxRows() {
        return place.store().read(StoreTable.OUTBOX, new byte[0], null).count().block(Ticks.PATIENCE);
    }

    @Test
    void withoutFailuresEachRowArrivesOnceInTheOrderOfItsKey() {
        List<Ticks.Tick> ticks = append(10_000, 1);
        OutboxSink<WindowResult<String, Long>> outbox =
                outbox(delivery -> Mono.fromRunnable(() -> arrived.add(delivery)));
        drain(outbox);
        assertThat(arrived).hasSize(firstArrivals().size());
        assertThat(PlainBatch.fold(firstArrivals())).isEqualTo(Ticks.batch(place.topic(), ticks));
        assertThat(arrived).allMatch(delivery -> delivery.attempt() == 1 && !delivery.repeated());
        assertThat(outbox.counts()).isEqualTo(new OutboxCounts(arrived.size(), 0, 0, 0));
        assertThat(outboxRows()).isZero();
        assertThat(outbox.waiting().count().block(Ticks.PATIENCE)).isZero();
    }

    @Test
    void aKeyDoesNotOvertakeItselfWhileOthersGoOnAndNoMoreThanSoManyAreUnderWay() {
        append(6_000, 2);
        Map<String, String> underWay = new ConcurrentHashMap<>();
        AtomicInteger now = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        Random random = new Random(2);
        OutboxSink<WindowResult<String, Long>> outbox = outbox(delivery -> {
                    String other = underWay.putIfAbsent(delivery.value().key(), name(delivery));
                    if (other != null) {
                        throw new AssertionError(name(delivery) + " has overtaken " + other);
                    }
                    most.accumulateAndGet(now.incrementAndGet(), Math::max);
                    return Mono.delay(Duration.ofMillis(random.nextInt(3))).doOnNext(tick -> {
                        arrived.add(delivery);
                        now.decrementAndGet();
                        underWay.remove(delivery.value().key());
                    });
                })
                .delivery(QUICK.concurrency(5));
        drain(outbox);
        assertThat(outbox.counts().dead()).isZero();
        assertThat(arrived).hasSize(firstArrivals().size());
        assertThat(most.get()).isBetween(5, 5 * Ticks.PARTITIONS);
        System.out.printf("outbox: %d rows, at most %d under way in %d lanes of 5%n", arrived.size(), most.get(), 4);
    }

    @Test
    void whatFailsAtFirstIsRepeatedAndWhatFailsAlwaysBecomesADeadLetter() {
        List<Ticks.Tick> ticks = append(6_000, 3);
        AtomicInteger failures = new AtomicInteger();
        OutboxSink<WindowResult<String, Long>> outbox = outbox(delivery -> {
            boolean always = delivery.value().key().equals("k7");
            boolean atFirst = delivery.number() % 10 == 3 && delivery.attempt() < 4;
            if (always || atFirst) {
                failures.incrementAndGet();
                if (delivery.attempt() % 2 == 0) {
                    throw new IllegalStateException("not now");
                }
                return Mono.error(new IllegalStateException("not now"));
            }
            return Mono.fromRunnable(() -> arrived.add(delivery));
        });
        drain(outbox);
        List<UndeliveredRow<WindowResult<String, Long>>> dead =
                outbox.undelivered().collectList().block(Ticks.PATIENCE);
        assertThat(dead).isNotEmpty().allSatisfy(row -> {
            assertThat(row.value().key()).isEqualTo("k7");
            assertThat(row.attempts()).isEqualTo(4);
            assertThat(row.cause()).contains("IllegalStateException").contains("not now");
        });
        List<WindowResult<String, Long>> everything = firstArrivals();
        dead.forEach(row -> everything.add(row.value()));
        assertThat(PlainBatch.fold(everything)).isEqualTo(Ticks.batch(place.topic(), ticks));
        assertThat(outbox.counts().dead()).isEqualTo(dead.size());
        assertThat(outbox.counts().delivered()).isEqualTo(arrived.size());
        assertThat(outbox.counts().retried()).isEqualTo(failures.get() - dead.size());
        assertThat(outboxRows()).isZero();
    }

    @Test
    void aJobThatIsCutOffAgainAndAgainDeliversEverythingAndCountsWhatMayHaveComeTwice() {
        List<Ticks.Tick> ticks = append(20_000, 4);
        Random random = new Random(4);
        long redelivered = 0;
        for (int round = 0; round < 12; round++) {
            int most = 20 + random.nextInt(400);
            int before = arrived.size();
            Sinks.Empty<Void> cut = Sinks.empty();
            OutboxSink<WindowResult<String, Long>> outbox = outbox(delivery -> Mono.fromRunnable(() -> {
                arrived.add(delivery);
                if (arrived.size() >= before + most) {
                    cut.tryEmitEmpty();
                }
            }));
            Disposable running =
                    place.job(outbox, CheckpointSpec.everyEvents(100)).subscribe();
            JobPlace.await("some deliveries", () -> arrived.size() >= before + most);
            running.dispose();
            redelivered += outbox.counts().redelivered();
            // As a crash would: what is acknowledged and not removed is forgotten.
            place.close();
            place = JobPlace.open(directory);
        }
        OutboxSink<WindowResult<String, Long>> last =
                outbox(delivery -> Mono.fromRunnable(() -> arrived.add(delivery)));
        drain(last);
        redelivered += last.counts().redelivered();
        List<WindowResult<String, Long>> first = firstArrivals();
        assertThat(PlainBatch.fold(first)).isEqualTo(Ticks.batch(place.topic(), ticks));
        int twice = arrived.size() - first.size();
        Set<String> names = new HashSet<>();
        assertThat(arrived).allSatisfy(delivery -> assertThat(names.add(name(delivery)) || delivery.repeated())
                .as(name(delivery))
                .isTrue());
        System.out.printf(
                "outbox: %d rows, %d came again, %d counted as re-delivered, 12 cuts, seed 4%n",
                first.size(), twice, redelivered);
        assertThat(twice).isPositive();
        assertThat(redelivered).isGreaterThanOrEqualTo(twice);
    }

    @Test
    void aSlowReceiverHoldsTheJobWithinItsBound() {
        List<Ticks.Tick> ticks = append(60_000, 5);
        Sinks.Empty<Void> open = Sinks.empty();
        OutboxSink<WindowResult<String, Long>> outbox = outbox(
                        delivery -> open.asMono().then(Mono.fromRunnable(() -> arrived.add(delivery))))
                .delivery(QUICK.unsent(50).batch(10).concurrency(4));
        Sinks.Empty<Void> drain = Sinks.empty();
        Disposable running = place.job(outbox, CheckpointSpec.everyEvents(100).drainWhen(drain.asMono()))
                .subscribe();
        for (int lane = 0; lane < Ticks.PARTITIONS; lane++) {
            int of = lane;
            JobPlace.await("a full lane " + lane, () -> rowsOf(of) >= 50);
        }
        long most = 0;
        for (int lane = 0; lane < Ticks.PARTITIONS; lane++) {
            most = Math.max(most, rowsOf(lane));
        }
        assertThat(most).as("the bound, and what one barrier may add").isLessThan(50 + 600);
        assertThat(arrived).isEmpty();
        drain.tryEmitEmpty();
        open.tryEmitEmpty();
        JobPlace.await("the end", running::isDisposed);
        assertThat(PlainBatch.fold(firstArrivals())).isEqualTo(Ticks.batch(place.topic(), ticks));
    }

    private long rowsOf(int lane) {
        return place.store()
                .read(
                        StoreTable.OUTBOX,
                        RowNames.numbered("out", lane, 0),
                        RowNames.numbered("out", lane, Long.MAX_VALUE))
                .count()
                .block(Ticks.PATIENCE);
    }

    @Test
    void acknowledgedRowsLeaveTheStoreWithoutNewInput() {
        append(5_000, 6);
        OutboxSink<WindowResult<String, Long>> outbox =
                outbox(delivery -> Mono.fromRunnable(() -> arrived.add(delivery)));
        Disposable running = place.job(outbox, CheckpointSpec.everyEvents(1_000).orEvery(Duration.ofMillis(20)))
                .subscribe();
        try {
            JobPlace.await("deliveries", () -> !arrived.isEmpty());
            JobPlace.await("an empty outbox", () -> outboxRows() == 0 && !arrived.isEmpty());
        } finally {
            running.dispose();
        }
    }

    @Test
    void anotherJobMayNotUseTheSameName() {
        append(1_000, 7);
        drain(outbox(delivery -> Mono.empty()));
        CheckpointSpec other = CheckpointSpec.everyEvents(100).named("other").drainWhen(Mono.empty());
        assertThatThrownBy(() -> Ticks.counts(place.topic())
                        .writeTo(outbox(delivery -> Mono.empty()), other)
                        .blockLast(Ticks.PATIENCE))
                .hasMessageContaining("the sink out of this store belongs to job job")
                .hasMessageContaining("other");
    }

    @Test
    void settingsOutOfRangeAreRefusedWithTheirValue() {
        DeliverySpec spec = DeliverySpec.defaults();
        assertThatThrownBy(() -> spec.unsent(0))
                .hasMessageContaining("unsent rows")
                .hasMessageContaining("0");
        assertThatThrownBy(() -> spec.batch(-1)).hasMessageContaining("batch").hasMessageContaining("-1");
        assertThatThrownBy(() -> spec.concurrency(0)).hasMessageContaining("concurrency");
        assertThatThrownBy(() -> spec.attempts(0, Duration.ofMillis(1), Duration.ofMillis(1)))
                .hasMessageContaining("attempts");
        assertThatThrownBy(() -> spec.attempts(1, Duration.ZERO, Duration.ofMillis(1)))
                .hasMessageContaining("PT0S");
        assertThatThrownBy(() -> spec.attempts(1, Duration.ofMillis(2), Duration.ofMillis(1)))
                .hasMessageContaining("PT0.001S");
    }
}
