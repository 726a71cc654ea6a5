package io.fluxmark.windows;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import reactor.core.publisher.Flux;
import reactor.test.subscriber.TestSubscriber;

/**
 * Who is idle when, in virtual time and against a plain model, over random arrivals, demand and pauses (S53.8): a
 * partition only once it has been silent for the whole time-out, and never while anything of it is unread.
 */
class IdlenessPropertiesTest {

    private record Event(int partition, long time) {}

    /** The rules, word by word: since when nobody is silent, who is idle, and the watermark that follows. */
    private static final class Model {

        private final long timeout;
        private final long[] notSilent;
        private final boolean[] idle;
        long watermark = Watermark.NONE;

        Model(int partitions, long timeout) {
            this.timeout = timeout;
            this.notSilent = new long[partitions];
            this.idle = new boolean[partitions];
        }

        void withoutDemand(long now) {
            Arrays.fill(notSilent, now);
        }

        void unread(int p, long now) {
            notSilent[p] = now;
            idle[p] = false;
        }

        void caughtUp(int p, long now) {
            idle[p] |= now - notSilent[p] >= timeout;
        }

        void combine(long[] own) {
            long lowestActive = Watermark.END;
            long highest = Watermark.NONE;
            for (int p = 0; p < own.length; p++) {
                lowestActive = idle[p] ? lowestActive : Math.min(lowestActive, own[p]);
                highest = Math.max(highest, own[p]);
            }
            watermark = Math.max(watermark, lowestActive == Watermark.END ? highest : lowestActive);
        }
    }

    /**
     * A random script over one operator. Two models bound what it may tell: no partition may be idle before it has been
     * silent for long enough, and none has to be before nothing that may be of it has been unread for as long.
     */
    private abstract static class Scenario {

        final Random random;
        final int partitions;
        final boolean lagIsKnown;
        final TestLane lane = new TestLane();
        private final List<String> script = new ArrayList<>();
        private final long bound;
        private final long timeout;
        private final long[] clocks;
        private final long[] own;
        private final Model atMost;
        private final Model atLeast;

        private TestSubscriber<StreamElement<Event>> subscriber;
        private int taken;
        private long outstanding;
        private long told = Watermark.NONE;
        private long now;

        Scenario(Random random) {
            this.random = random;
            this.partitions = 1 + random.nextInt(4);
            this.lagIsKnown = random.nextBoolean();
            this.bound = random.nextInt(3);
            this.timeout = 2L + random.nextInt(6);
            this.clocks = new long[partitions];
            this.own = new long[partitions];
            Arrays.fill(own, Watermark.NONE);
            this.atMost = new Model(partitions, timeout);
            this.atLeast = new Model(partitions, timeout);
        }

        abstract Flux<StreamElement<Event>> open(WatermarkSpec spec);

        /** An event is there. */
        abstract void write(Event event);

        /** The source sends something that is there, if it was asked. */
        abstract void deliver();

        /** Whether there is an event of a partition to be read, as far as the operator can know. */
        abstract boolean isUnread(int partition);

        /** Whether there is an event to be read that may be of a partition, as far as the operator can know. */
        abstract boolean mayBeUnread(int partition);

        abstract void isRead(Event event);

        void run() {
            WatermarkSpec spec = WatermarkSpec.boundedOutOfOrderness(Duration.ofMillis(bound))
                    .idleAfter(Duration.ofMillis(timeout));
            subscriber = TestSubscriber.builder().initialRequest(0).build();
            open(spec).subscribe(subscriber);
            boolean unbounded = random.nextInt(3) == 0;
            if (unbounded) {
                request(1_000_000);
            }
            for (int i = 0; i < 120; i++) {
                int what = random.nextInt(10);
                if (what < 3) {
                    int p = random.nextInt(partitions);
                    clocks[p] += random.nextInt(8);
                    Event event = new Event(p, clocks[p] - random.nextInt((int) bound + 1));
                    step("write " + event, () -> write(event));
                } else if (what < 6) {
                    step("deliver", this::deliver);
                } else if (what < 9) {
                    for (int ms = random.nextInt(5); ms > 0; ms--) {
                        step("1 ms", () -> lane.clock.advanceTimeBy(Duration.ofMillis(1)));
                    }
                } else if (!unbounded) {
                    request(1 + random.nextInt(4));
                }
            }
            assertThat(subscriber.getProtocolErrors()).isEmpty();
        }

        private void request(int n) {
            script.add("request " + n);
            subscriber.request(n);
            outstanding += n;
            settle();
        }

        private void step(String what, Runnable action) {
            script.add(what);
            action.run();
            now = lane.clock.now(TimeUnit.MILLISECONDS);
            if (outstanding > 0) {
                look();
            }
            settle();
        }

        private void settle() {
            for (; taken < subscriber.getReceivedOnNext().size(); taken++) {
                outstanding--;
                StreamElement<Event> element = subscriber.getReceivedOnNext().get(taken);
                if (element instanceof EventBatch<Event> run) {
                    read(run);
                    continue;
                }
                if (element instanceof Watermark<Event> progress) {
                    assertThat(progress.timestamp()).isGreaterThan(told);
                    assertThat(progress.byTimeout()).as("%s", script).isTrue();
                    told = progress.timestamp();
                }
                if (outstanding == 0) {
                    withoutDemand();
                }
                outstanding++; // only runs take demand away: what is read for one is seen in the same step
                subscriber.request(1);
            }
            assertThat(told).as("told after %s", script).isLessThanOrEqualTo(atMost.watermark);
            if (outstanding == 0) {
                withoutDemand();
            } else {
                look();
                assertThat(told).as("told after %s", script).isBetween(atLeast.watermark, atMost.watermark);
            }
        }

        private void withoutDemand() {
            atMost.withoutDemand(now);
            atLeast.withoutDemand(now);
        }

        /** There is demand, and what was sent has been read, or is being read. */
        private void look() {
            for (int p = 0; p < partitions; p++) {
                atMost.caughtUp(p, now);
                atLeast.caughtUp(p, now);
            }
            activateUnread();
            atMost.combine(own);
            atLeast.combine(own);
        }

        private void activateUnread() {
            for (int p = 0; p < partitions; p++) {
                if (isUnread(p)) {
                    atMost.unread(p, now);
                }
                if (mayBeUnread(p)) {
                    atLeast.unread(p, now);
                }
            }
        }

        private void read(EventBatch<Event> run) {
            activateUnread();
            for (int i = 0; i < run.size(); i++) {
                Event event = run.value(i);
                assertThat(run.watermarkBefore(i))
                        .as("before %s after %s", event, script)
                        .isBetween(atLeast.watermark, atMost.watermark);
                int p = event.partition();
                own[p] = Math.max(own[p], event.time() - bound - 1);
                for (Model model : List.of(atMost, atLeast)) {
                    model.unread(p, now);
                    model.combine(own);
                }
                isRead(event);
            }
            told = run.watermarkAfter();
            assertThat(told).as("after the run of %s", script).isBetween(atLeast.watermark, atMost.watermark);
        }
    }

    /** Each partition is a source of its own: of what is unread it is known whose it is, and both models are one. */
    private static final class Merged extends Scenario {

        private final List<ManualSource<Event>> sources = new ArrayList<>();
        private final List<Deque<Event>> there = new ArrayList<>();
        private final int[] sent;
        private final int[] atHand;

        Merged(Random random) {
            super(random);
            sent = new int[partitions];
            atHand = new int[partitions];
            for (int p = 0; p < partitions; p++) {
                sources.add(new ManualSource<>());
                there.add(new ArrayDeque<>());
            }
        }

        @Override
        Flux<StreamElement<Event>> open(WatermarkSpec spec) {
            return EventTime.merge(sources, 4, Event::time, spec, invalid -> {}, lane);
        }

        @Override
        void write(Event event) {
            there.get(event.partition()).add(event);
            if (lagIsKnown) {
                lane.lags.merge(event.partition(), 1L, Long::sum);
            }
        }

        @Override
        void deliver() {
            int p = random.nextInt(partitions);
            if (!there.get(p).isEmpty() && sent[p] < sources.get(p).requested.get()) {
                sent[p]++;
                atHand[p]++;
                lane.lags.computeIfPresent(p, (key, lag) -> lag - 1);
                sources.get(p).next(there.get(p).poll());
            }
        }

        @Override
        boolean isUnread(int partition) {
            return atHand[partition] > 0 || lane.lags.getOrDefault(partition, 0L) > 0;
        }

        @Override
        boolean mayBeUnread(int partition) {
            return isUnread(partition);
        }

        @Override
        void isRead(Event event) {
            atHand[event.partition()]--;
        }
    }

    /** All partitions come in one stream: what is unread may be of any of them. */
    private static final class OneStream extends Scenario {

        private final ManualSource<StreamElement<Event>> source = new ManualSource<>();
        private final Deque<Event> there = new ArrayDeque<>();
        private final Deque<Event> atHand = new ArrayDeque<>();
        private int sent;

        OneStream(Random random) {
            super(random);
        }

        @Override
        Flux<StreamElement<Event>> open(WatermarkSpec spec) {
            return source.transform(
                    EventTime.assignByPartition(partitions, Event::partition, Event::time, spec, invalid -> {}, lane));
        }

        @Override
        void write(Event event) {
            there.add(event);
            showLag();
        }

        private void showLag() {
            if (lagIsKnown) {
                lane.lag = there.size();
            }
        }

        @Override
        void deliver() {
            if (!there.isEmpty() && sent < source.requested.get()) {
                Event event = there.poll();
                sent++;
                atHand.add(event);
                showLag();
                source.next(EventBatch.ofValues(event));
            }
        }

        /** The first at hand is the one that is being read. */
        @Override
        boolean isUnread(int partition) {
            return atHand.stream().skip(1).anyMatch(event -> event.partition() == partition)
                    || (lagIsKnown && there.stream().anyMatch(event -> event.partition() == partition));
        }

        @Override
        boolean mayBeUnread(int partition) {
            return atHand.size() > 1 || lane.lag > 0;
        }

        @Override
        void isRead(Event event) {
            assertThat(atHand.poll()).isEqualTo(event);
        }
    }

    @Property
    void s28OfMergedSourcesNoneIsIdleWithUnreadData(@ForAll Random random) {
        new Merged(random).run();
    }

    @Property
    void s28OfPartitionsInOneStreamNoneIsIdleWithUnreadData(@ForAll Random random) {
        new OneStream(random).run();
    }
}
