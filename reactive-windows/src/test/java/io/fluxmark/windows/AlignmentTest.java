package io.fluxmark.windows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.test.subscriber.TestSubscriber;

/** Sources that are kept together in event time (S35). */
class AlignmentTest {

    private static final int CASES =
            System.getProperty("fluxmark.tier", "small").equals("thorough") ? 5_000 : 200;
    private static final long SEED = 35_000;
    private static final Duration DAY = Duration.ofDays(1);
    private static final int PREFETCH = 4;

    private static final WatermarkSpec THIRTY =
            WatermarkSpec.ascending().idleAfter(DAY).alignedWithin(Duration.ofMillis(30));

    private final List<ManualSource<Long>> sources = new ArrayList<>();
    private final TestLane lane = new TestLane();
    private final TestSubscriber<StreamElement<Long>> subscriber = TestSubscriber.create();

    private void open(int count, WatermarkSpec spec) {
        for (int i = 0; i < count; i++) {
            sources.add(new ManualSource<>());
        }
        EventTime.merge(sources, PREFETCH, Long::longValue, spec, invalid -> {}, lane)
                .subscribe(subscriber);
    }

    private List<Long> read() {
        return subscriber.getReceivedOnNext().stream()
                .filter(EventBatch.class::isInstance)
                .map(element -> (EventBatch<Long>) element)
                .flatMap(run -> IntStream.range(0, run.size()).mapToObj(run::value))
                .toList();
    }

    private void event(int source, long... times) {
        for (long time : times) {
            sources.get(source).next(time);
        }
    }

    /** The first stands at W 1042 and the second at 1000, with nothing more at hand. */
    private void apart() {
        open(2, THIRTY);
        event(1, 1_001);
        event(0, 1_043);
        assertThat(read()).containsExactly(1_001L, 1_043L);
    }

    @Test
    void s35WhoIsMoreThanTheBoundAheadIsPausedUntilTheSlowestIsWithinIt() {
        apart();
        event(0, 1_044);
        assertThat(read()).as("1042 is 42 ahead of 1000").endsWith(1_043L);
        event(1, 1_012);
        assertThat(read()).as("31 ahead of 1011").endsWith(1_012L);
        event(1, 1_013);
        assertThat(read()).as("30 ahead of 1012").endsWith(1_013L, 1_044L);
    }

    @Test
    void s35WhoIsPausedIsNotRequestedFrom() {
        apart();
        event(0, 1_044, 1_045, 1_046);
        assertThat(sources.get(0).requested).as("only the prefetch").hasValue(PREFETCH);
        event(1, 1_050);
        assertThat(sources.get(0).requested).hasValue(PREFETCH + 3);
    }

    @Test
    void c11WhoWasWaitedForAndIsIdleOrCompletesLetsTheOthersGoOnAtOnce() {
        apart();
        event(0, 1_044, 2_000);
        lane.clock.advanceTimeBy(DAY.minusMillis(1));
        assertThat(read()).hasSize(2);
        lane.clock.advanceTimeBy(Duration.ofMillis(1));
        assertThat(read()).endsWith(1_044L, 2_000L);

        event(1, 1_500);
        event(0, 2_001);
        assertThat(read()).as("back from idle, it is waited for").endsWith(1_500L);
        sources.get(1).complete();
        assertThat(read()).endsWith(1_500L, 2_001L);
    }

    @Test
    void c11WhoHasNeverHadAnEventIsWaitedForUntilItIsIdle() {
        open(3, THIRTY);
        event(0, 10);
        event(1, 20, 90);
        assertThat(read()).as("each its first").containsExactly(10L, 20L);
        lane.clock.advanceTimeBy(DAY);
        assertThat(read()).endsWith(90L);
    }

    @Test
    void whoHasEventsAtHandHoldsNobodySinceItIsReadFirst() {
        open(2, THIRTY);
        event(1, 10, 11);
        event(0, 10_000, 10_001);
        event(1, 20_000, 20_001);
        assertThat(read()).containsExactly(10L, 11L, 10_000L, 10_001L, 20_000L);
        event(0, 20_001);
        assertThat(read()).endsWith(20_000L, 20_001L, 20_001L);
    }

    @Test
    void anAlignmentThatCouldWaitForEverAndOneOfOneStreamAreRefused() {
        WatermarkSpec forEver = WatermarkSpec.ascending().alignedWithin(Duration.ZERO);
        assertThatThrownBy(() -> EventFlux.merge(List.of(Flux.just(1L)), Long::longValue, forEver))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("say with idleAfter when it is idle");
        EventFlux<Long> one = EventFlux.from(Flux.just(1L));
        assertThatThrownBy(() -> one.watermarksMillis(Long::longValue, THIRTY))
                .hasMessageContaining("align what is merged");
        assertThatThrownBy(() -> one.watermarksByPartition(2, time -> 0, Long::longValue, THIRTY, invalid -> {}))
                .hasMessageContaining("align what is merged");
        assertThatThrownBy(() -> EventTime.assign(Long::longValue, THIRTY))
                .hasMessageContaining("align what is merged");
        assertThatThrownBy(() -> THIRTY.alignedWithin(Duration.ofMillis(-1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("-0.001S");
    }

    /** One source of a random case: what it still has to send. */
    private static final class Feed {

        final List<Long> times = new ArrayList<>();
        int sent;
        int read;
        long watermark = Watermark.NONE;
        boolean completed;
        boolean idle;
    }

    /**
     * Sources that send at random, as they may, and complete: all is read once, nobody is read who is too far ahead of one with
     * nothing at hand, and there is an end.
     */
    @Test
    void anyTurnsOfSourcesAreReadToTheirEndWithinTheBound() {
        long events = 0;
        long pauses = 0;
        for (int i = 0; i < CASES; i++) {
            AlignmentTest each = new AlignmentTest();
            pauses += each.check(new Random(SEED + i), SEED + i);
            events += each.read().size();
        }
        System.out.printf("aligned sources: %d cases, %d events, %d silences, seed %d%n", CASES, events, pauses, SEED);
        assertThat(pauses).isPositive();
    }

    private long check(Random random, long seed) {
        int count = 2 + random.nextInt(4);
        long skew = random.nextInt(60);
        List<Feed> feeds = new ArrayList<>();
        for (int s = 0; s < count; s++) {
            Feed feed = new Feed();
            long time = random.nextInt(50);
            for (int e = random.nextInt(60); e > 0; e--) {
                time += random.nextInt(20);
                feed.times.add(time * count + s); // the source can be told from the time
            }
            feeds.add(feed);
        }
        open(count, WatermarkSpec.ascending().idleAfter(DAY).alignedWithin(Duration.ofMillis(skew * count)));
        long silences = 0;
        int checked = 0;
        while (!subscriber.isTerminated()) {
            List<Integer> able = IntStream.range(0, count)
                    .filter(s -> !feeds.get(s).completed)
                    .filter(s -> feeds.get(s).sent == feeds.get(s).times.size()
                            || sources.get(s).requested.get() > feeds.get(s).sent)
                    .boxed()
                    .toList();
            boolean silent = able.isEmpty() || random.nextInt(40) == 0;
            if (silent) {
                silences++;
                assertThat(silences)
                        .as("silences without an end, seed %d", seed)
                        .isLessThan(10_000);
                feeds.forEach(feed -> feed.idle |= feed.read == feed.sent);
                lane.clock.advanceTimeBy(DAY);
            } else {
                send(able.get(random.nextInt(able.size())), feeds);
            }
            List<Long> read = read();
            for (; checked < read.size(); checked++) {
                long time = read.get(checked);
                Feed of = feeds.get((int) (time % count));
                if (!silent) {
                    assertWithin(of, feeds, skew * count, seed);
                }
                of.read++;
                of.watermark = time - 1;
            }
        }
        for (int s = 0; s < count; s++) {
            int source = s;
            assertThat(read().stream().filter(time -> time % count == source))
                    .as("source %d, seed %d", s, seed)
                    .containsExactlyElementsOf(feeds.get(s).times);
        }
        return silences;
    }

    private void send(int source, List<Feed> feeds) {
        Feed feed = feeds.get(source);
        feed.idle = false;
        if (feed.sent == feed.times.size()) {
            feed.completed = true;
            sources.get(source).complete();
        } else {
            sources.get(source).next(feed.times.get(feed.sent++));
        }
    }

    /** Who has had nothing at hand in a silence is idle until it sends something. */
    private void assertWithin(Feed of, List<Feed> feeds, long skew, long seed) {
        for (Feed other : feeds) {
            boolean nothingAtHand = other.read == other.sent && !other.completed && other != of;
            if (nothingAtHand && !other.idle) {
                assertThat(Watermark.leads(of.watermark, other.watermark, skew))
                        .as("%d ahead of %d, seed %d", of.watermark, other.watermark, seed)
                        .isFalse();
            }
        }
    }
}
