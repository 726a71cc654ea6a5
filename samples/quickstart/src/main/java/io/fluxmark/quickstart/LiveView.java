package io.fluxmark.quickstart;

import io.fluxmark.quickstart.plain.Flight;
import io.fluxmark.quickstart.plain.PlainPartitions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/**
 * A job that stays open, for trying things out: the last day of the file in a stream of its own, never drained, so that
 * its newest hours still take corrections.
 */
final class LiveView implements AutoCloseable {

    private static final Duration TIMEOUT = Duration.ofMinutes(1);

    private final List<Flight> lastDay;
    private final DemoSettings settings;
    private final FlightService service;
    private final PlainPartitions partitions = new PlainPartitions(FlightService.PARTITIONS);
    private @Nullable Disposable job;

    LiveView(List<Flight> flights, DemoSettings settings, FlightService service) {
        this.lastDay = lastDay(flights);
        this.settings = settings;
        this.service = service;
    }

    /** Starts the job, waits until it has committed what it was fed, and returns the lines to paste. */
    List<String> start() {
        EventClock clock = new EventClock(lastDay, partitions);
        JobMonitor monitor = new JobMonitor();
        monitor.restore(
                        service.store(),
                        FlightJobs.LIVE,
                        service.topic(FlightService.LIVE_STREAM).topic())
                .block(TIMEOUT);
        service.feeder(FlightService.LIVE_STREAM, lastDay, new FeedMeter())
                .feed()
                .block(TIMEOUT);
        Sinks.Empty<Void> caughtUp = Sinks.empty();
        long fed = service.appended(FlightService.LIVE_STREAM);
        if (monitor.counts().sum() >= fed) {
            caughtUp.tryEmitEmpty();
        }
        job = new FlightJobs(service, settings)
                .live(clock)
                .subscribe(
                        checkpoint -> {
                            monitor.committed(checkpoint);
                            if (monitor.counts().sum() >= fed) {
                                caughtUp.tryEmitEmpty();
                            }
                        },
                        caughtUp::tryEmitError);
        caughtUp.asMono().block(TIMEOUT);
        return lines();
    }

    /** Keeps the server up until the process ends. */
    void await() {
        Mono.never().block();
    }

    @Override
    public void close() {
        if (job != null) {
            job.dispose();
        }
    }

    private List<String> lines() {
        LateFlight late = LateFlight.after(lastDay, partitions, settings);
        List<String> lines = new ArrayList<>();
        if (late == null) {
            lines.add("No hour takes corrections with --lateness "
                    + Durations.text(settings.lateness().toMillis()) + ": try --serve with the defaults.");
            return lines;
        }
        lines.add("The server stays up (Ctrl-C ends it). A flight from " + late.airport()
                + " that comes late for the hour " + late.hour() + ":");
        lines.add("");
        lines.add("curl -s " + service.address() + "/v1/streams/" + FlightService.LIVE_STREAM
                + "/events -H 'content-type: application/cloudevents+json' -d '" + late.json() + "'");
        lines.add("");
        lines.add("What became of that hour (a second later): the old value is taken back, the new one follows:");
        lines.add("");
        lines.add("curl -s " + service.address() + "/v1/queries/live/results | grep '\"" + late.airport()
                + "\",\"hour\":\"" + late.hour() + "\"'");
        return lines;
    }

    /** The flights that came in during the last 24 hours of the file. */
    private static List<Flight> lastDay(List<Flight> flights) {
        long from = flights.get(flights.size() - 1).arrivalMillis() - Screen.DAY.toMillis();
        return flights.stream().filter(flight -> flight.arrivalMillis() >= from).toList();
    }
}
