package io.fluxmark.quickstart;

import io.fluxmark.quickstart.plain.Flight;
import io.fluxmark.sinks.LogSource;
import io.fluxmark.windows.Aggregation;
import io.fluxmark.windows.Aggregations;
import io.fluxmark.windows.Checkpoint;
import io.fluxmark.windows.CheckpointSpec;
import io.fluxmark.windows.WatermarkSpec;
import io.fluxmark.windows.WindowSpec;
import io.fluxmark.windows.WindowedFlux;
import java.time.Duration;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;

/** The jobs: departures and mean delay per airport and window of event time, committed with what they were read from. */
final class FlightJobs {

    static final String HOURS = "hours";
    static final String DAYS = "days";
    static final String LIVE = "live";

    private static final Duration LONGEST_INTERVAL = Duration.ofSeconds(1);

    private final FlightService service;
    private final DemoSettings settings;

    FlightJobs(FlightService service, DemoSettings settings) {
        this.service = service;
        this.settings = settings;
    }

    /** Every change of every airport-hour; drained, and then finished for good, when {@code fed} completes. */
    Flux<Checkpoint> hours(EventClock clock, Publisher<?> fed) {
        return job(FlightService.STREAM, clock, HOURS, Screen.HOUR)
                .aggregate(statistics())
                .writeTo(service.tables().hours(), spec(HOURS).drainWhen(fed));
    }

    /** The latest row of every airport-day; drained, and then finished for good, when {@code fed} completes. */
    Flux<Checkpoint> days(EventClock clock, Publisher<?> fed) {
        return job(FlightService.STREAM, clock, DAYS, Screen.DAY)
                .aggregate(statistics())
                .writeTo(service.tables().days(), spec(DAYS).drainWhen(fed));
    }

    /** Every change of every airport-hour of the live stream, for as long as it is subscribed to. */
    Flux<Checkpoint> live(EventClock clock) {
        return job(FlightService.LIVE_STREAM, clock, LIVE, Screen.HOUR)
                .aggregate(statistics())
                .writeTo(service.tables().live(), spec(LIVE));
    }

    private WindowedFlux<String, Flight> job(String stream, EventClock clock, String name, Duration size) {
        WindowedFlux<String, Flight> windows = LogSource.of(service.topic(stream))
                .watermarksMillis(clock::read, WatermarkSpec.boundedOutOfOrderness(settings.delay()))
                .keyByRecordKey(Flight::origin)
                .window(WindowSpec.tumbling(size).allowedLateness(settings.lateness()));
        return settings.late() == DemoSettings.Late.SIDE
                ? windows.lateTo(service.tables().late(name))
                : windows;
    }

    private CheckpointSpec spec(String name) {
        return CheckpointSpec.everyEvents(settings.checkpointEvents())
                .orEvery(LONGEST_INTERVAL)
                .named(name);
    }

    /** How many departures, and their mean delay. */
    static Aggregation<Flight, ?, Stats> statistics() {
        return Aggregations.allOf(
                Aggregations.counting(),
                Aggregations.averagingLong(Flight::delayMinutes),
                Stats::new,
                new StatsCodec());
    }
}
