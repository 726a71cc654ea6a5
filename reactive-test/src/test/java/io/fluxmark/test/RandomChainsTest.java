package io.fluxmark.test;

import static org.assertj.core.api.Assertions.assertThat;

import io.fluxmark.test.TumblingEquivalenceTest.Event;
import io.fluxmark.windows.Aggregations;
import io.fluxmark.windows.Early;
import io.fluxmark.windows.EventBatch;
import io.fluxmark.windows.EventFlux;
import io.fluxmark.windows.StreamElement;
import io.fluxmark.windows.Watermark;
import io.fluxmark.windows.WatermarkSpec;
import io.fluxmark.windows.WindowResult;
import io.fluxmark.windows.WindowSpec;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;

/** Whatever is chained, no operator emits behind a watermark that it has told, unless it says so (S24, S34, S46). */
class RandomChainsTest {

    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final long SEED = 30_001;

    /** A value on its way through the chain, and whether the stage that made it has marked it as a correction. */
    private record Item(String key, long value, boolean correction) {}

    private static Duration ms(long millis) {
        return Duration.ofMillis(millis);
    }

    /** Reads what comes out of one operator, and counts the events. */
    private static final class Monitor {
        private final String what;
        private long watermark = Watermark.NONE;
        private long events;

        Monitor(String what) {
            this.what = what;
        }

        void accept(StreamElement<Item> element) {
            if (element instanceof EventBatch<Item> run) {
                for (int i = 0; i < run.size(); i++) {
                    moveTo(run.watermarkBefore(i));
                    boolean marked = run.value(i).correction() || run.sign(i) < 0;
                    assertThat(marked || !Watermark.isLate(watermark, run.timestamp(i)))
                            .as("%s at %s behind W=%s, %s", run.value(i), run.timestamp(i), watermark, what)
                            .isTrue();
                    events++;
                }
                moveTo(run.watermarkAfter());
            } else if (element instanceof Watermark<Item> progress) {
                moveTo(progress.timestamp());
            }
        }

        private void moveTo(long next) {
            assertThat(Watermark.advances(next, watermark))
                    .as("from %s to %s, %s", watermark, next, what)
                    .isFalse();
            watermark = next;
        }
    }

    /** One more stage behind {@code chain}; sessions and count windows take no corrections. */
    private static EventFlux<Item> stage(RandomInput input, EventFlux<Item> chain, long lateness, boolean corrects) {
        return switch (input.upTo(corrects ? 3 : 5)) {
            case 0 -> chain.filter(item -> Math.floorMod(item.value(), 3L) > 0);
            case 1 -> chain.map(item -> new Item(item.key(), item.value() + 1, item.correction()));
            case 2 -> fixed(input, chain, lateness, corrects);
            case 3 -> windows(chain, WindowSpec.sliding(ms(10), ms(input.of(4, 5, 12))), lateness);
            case 4 -> windows(chain, WindowSpec.session(ms(input.of(3, 8))), lateness);
            default -> windows(chain, WindowSpec.count(1 + input.upTo(4)), lateness);
        };
    }

    private static EventFlux<Item> fixed(RandomInput input, EventFlux<Item> chain, long lateness, boolean corrects) {
        WindowSpec windows = WindowSpec.tumbling(ms(input.of(5, 10)));
        boolean early = corrects && input.maybe();
        return windows(chain, early ? windows.early(Early.everyCount(1 + input.upTo(2))) : windows, lateness);
    }

    private static EventFlux<Item> windows(EventFlux<Item> chain, WindowSpec windows, long lateness) {
        return chain.keyBy(Item::key)
                .window(windows.allowedLateness(ms(lateness)))
                .aggregate(Aggregations.summingLong(Item::value))
                .map(result -> new Item(result.key(), result.value(), isCorrection(result)));
    }

    private static boolean isCorrection(WindowResult<String, Long> result) {
        return result.kind() == WindowResult.Kind.LATE || result.isRetraction();
    }

    @Test
    void noOperatorEmitsBehindItsWatermarkUnlessItSaysSo() {
        int cases = Tier.cases(500, 5_000);
        long events = 0;
        for (long seed = SEED; seed < SEED + cases; seed++) {
            RandomInput input = new RandomInput(seed);
            List<Event> arrivals = input.disorder(40).apply(input.events(-30, 61), Event::time);
            boolean corrects = input.maybe();
            long lateness = corrects ? input.of(0, 4, 30) : 0;
            EventFlux<Item> chain = EventFlux.from(Flux.fromIterable(arrivals), input.of(1, 7, 256))
                    .watermarksMillis(Event::time, WatermarkSpec.boundedOutOfOrderness(ms(input.of(0, 3, 12))))
                    .map(event -> new Item(event.key(), event.amount(), false));
            // Windows come first: they keep out what is late already.
            chain = input.upTo(2) == 0
                    ? windows(chain, WindowSpec.session(ms(input.of(3, 8))), lateness)
                    : fixed(input, chain, lateness, corrects);
            int stages = input.upTo(3);
            for (int i = 0; i < stages; i++) {
                chain = stage(input, chain, lateness, corrects);
            }
            Monitor monitor = new Monitor("seed " + seed);
            chain.elements().doOnNext(monitor::accept).blockLast(PATIENCE);
            events += monitor.events;
        }
        System.out.printf("random chains: %d cases, seeds from %d, %d events at their ends%n", cases, SEED, events);
        assertThat(events).isGreaterThan(2L * cases);
    }
}
