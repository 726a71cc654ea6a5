package io.fluxmark.quickstart;

import static org.assertj.core.api.Assertions.assertThat;

import io.fluxmark.quickstart.plain.Cell;
import io.fluxmark.quickstart.plain.Flight;
import io.fluxmark.quickstart.plain.FlightsFile;
import io.fluxmark.quickstart.plain.PlainPartitions;
import io.fluxmark.windows.Counter;
import io.fluxmark.windows.Counters;
import io.fluxmark.windows.EventFlux;
import io.fluxmark.windows.LiveCounters;
import io.fluxmark.windows.WatermarkSpec;
import io.fluxmark.windows.WindowResult;
import io.fluxmark.windows.WindowSpec;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;

/** The operators on the heap, one chain per partition, against the loops over the whole file. */
class PipelineAgreementTest {

    private static final PlainPartitions PARTITIONS = new PlainPartitions(4);
    private static final Duration TIMEOUT = Duration.ofMinutes(1);

    private final Map<Cell, Stats> rows = new HashMap<>();
    private Counters counters = Counters.ZERO;

    @ParameterizedTest
    @ValueSource(ints = {1, 24})
    void theOperatorsAgreeWithTheLoopsOnEveryCellAndCount(int hours) {
        List<Flight> flights = FlightsFile.bundled();
        DemoSettings settings = DemoSettings.defaults();
        Duration size = Duration.ofHours(hours);

        for (int p = 0; p < PARTITIONS.count(); p++) {
            int partition = p;
            run(
                    flights.stream()
                            .filter(flight -> PARTITIONS.of(flight.origin()) == partition)
                            .toList(),
                    settings,
                    size);
        }

        Truth truth = Truth.of(flights, PARTITIONS, settings, size);
        Counts counts = new Counts(
                counters.get(Counter.ON_TIME), counters.get(Counter.REFIRED), counters.get(Counter.DROPPED), 0);
        assertThat(Comparison.differences("heap", new JobOutcome(rows, counts), truth))
                .isEmpty();
        assertThat(counts.sum()).isEqualTo(flights.size());
        assertThat(counts.refired()).isPositive();
        assertThat(counts.dropped()).isPositive();
    }

    private void run(List<Flight> flights, DemoSettings settings, Duration size) {
        AtomicReference<LiveCounters> live = new AtomicReference<>();
        EventFlux.from(Flux.fromIterable(flights))
                .watermarksMillis(Flight::eventMillis, WatermarkSpec.boundedOutOfOrderness(settings.delay()))
                .keyBy(Flight::origin)
                .window(WindowSpec.tumbling(size).allowedLateness(settings.lateness()))
                .countersTo(live::set)
                .aggregate(FlightJobs.statistics())
                .toFlux()
                .doOnNext(this::fold)
                .blockLast(TIMEOUT);
        counters = counters.plus(live.get().snapshot());
    }

    private void fold(WindowResult<String, Stats> result) {
        Cell cell = new Cell(result.key(), result.window().start());
        if (result.isRetraction()) {
            assertThat(rows.remove(cell)).isEqualTo(result.value());
        } else {
            assertThat(rows.put(cell, result.value())).isNull();
        }
    }
}
