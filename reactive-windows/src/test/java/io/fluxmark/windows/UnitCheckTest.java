package io.fluxmark.windows;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongUnaryOperator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;

/** Timestamps in another unit than the millisecond are noticed (S37). */
class UnitCheckTest {

    private final List<String> warnings = new ArrayList<>();

    private void see(int count, LongUnaryOperator timestamp) {
        UnitCheck check = new UnitCheck("event-time-1", warnings::add);
        LongStream.range(0, count).map(timestamp).forEach(check::see);
    }

    @Test
    void s37AHundredTimestampsBefore2001AreWarnedOfOnce() {
        see(99, i -> 1_700_000_000L + i);
        assertThat(warnings).isEmpty();
        see(1_000, i -> 1_700_000_000L + i);
        assertThat(warnings)
                .containsExactly("The first 100 timestamps of event-time-1 all lie before 2001-09-09 (10^12 ms), the"
                        + " largest is 1700000099 (1970-01-20T16:13:20.099Z). They are read as milliseconds since"
                        + " 1970-01-01T00:00Z: if they are seconds, multiply by 1000, or give instants. Otherwise"
                        + " nothing is wrong");
    }

    @Test
    void s37AHundredTimestampsAfter2286AreWarnedOfOnce() {
        see(1_000, i -> 1_700_000_000_000_000L + i);
        assertThat(warnings).hasSize(1);
        assertThat(warnings.get(0))
                .contains("after 2286-11-20 (10^13 ms)", "1700000000000000", "microseconds or nanoseconds");
        see(1_000, i -> 1_700_000_000_000_000_000L + i);
        assertThat(warnings.get(1)).contains("the smallest is 1700000000000000000.");
    }

    @Test
    void s37OnePlausibleTimestampAmongTheFirstHundredIsEnough() {
        see(100, i -> i == 50 ? 1_000_000_000_000L : i);
        see(100, i -> i == 99 ? 10_000_000_000_000L : Long.MAX_VALUE);
        see(100, i -> i == 0 ? 1_700_000_000_000L : i);
        assertThat(warnings).isEmpty();
        see(100, i -> 999_999_999_999L);
        see(100, i -> 10_000_000_000_001L);
        assertThat(warnings).hasSize(2);
    }

    @Test
    void s37ALaneWarnsThroughTheLogger() {
        try (CapturedLog log = new CapturedLog()) {
            Flux.range(0, 300)
                    .transform(EventTime.runs(7))
                    .transform(EventTime.assign(i -> 1_700_000_000_000_000L + i, WatermarkSpec.ascending()))
                    .blockLast();
            assertThat(log.lines).as("all are rejected, and seen all the same").hasSize(1);
            assertThat(log.lines.get(0)).startsWith("warn: The first 100 timestamps of event-time all lie after 2286");
        }
    }
}
