package io.fluxmark.quickstart;

import io.fluxmark.quickstart.plain.Flight;
import io.fluxmark.quickstart.plain.PlainPartitions;
import io.fluxmark.windows.Checkpoint;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Feeds the flights to the server and runs both jobs until they have counted them all. */
final class FlightRun {

    private static final Duration TIMEOUT = Duration.ofMinutes(30);
    private static final Duration SHORT_TIMEOUT = Duration.ofMinutes(1);

    private final List<Flight> flights;
    private final DemoSettings settings;
    private final FlightService service;
    private final PrintStream err;
    private final KillSwitch killSwitch;
    private final FeedMeter meter = new FeedMeter();
    private final EventClock clock;
    private final PlainPartitions partitions = new PlainPartitions(FlightService.PARTITIONS);
    private final JobMonitor hours = new JobMonitor();
    private final JobMonitor days = new JobMonitor();

    FlightRun(List<Flight> flights, DemoSettings settings, FlightService service, PrintStream err) {
        this.flights = flights;
        this.settings = settings;
        this.service = service;
        this.err = err;
        this.killSwitch = new KillSwitch(settings.killAfter());
        this.clock = new EventClock(flights, partitions);
    }

    /**
     * What the jobs have committed in the end.
     *
     * @param hours per airport and hour
     * @param days per airport and day
     */
    record Outcomes(JobOutcome hours, JobOutcome days) {}

    /** Runs to the end; on data of an earlier run it goes on where that stopped. */
    Outcomes run() {
        hours.restore(
                        service.store(),
                        FlightJobs.HOURS,
                        service.topic(FlightService.STREAM).topic())
                .block(SHORT_TIMEOUT);
        days.restore(
                        service.store(),
                        FlightJobs.DAYS,
                        service.topic(FlightService.STREAM).topic())
                .block(SHORT_TIMEOUT);
        FlightJobs jobs = new FlightJobs(service, settings);
        Mono<Void> feed =
                service.feeder(FlightService.STREAM, flights, meter).feed().cache();
        Progress progress = new Progress(
                err,
                Boolean.getBoolean("fluxmark.terminal"),
                flights.size(),
                this::standing,
                Schedulers.boundedElastic());
        try {
            Mono.when(feed, watched(jobs.hours(clock, feed), hours), watched(jobs.days(clock, feed), days))
                    .block(TIMEOUT);
        } finally {
            progress.dispose();
        }
        return new Outcomes(
                new JobOutcome(
                        Objects.requireNonNull(service.tables().hourRows().block(SHORT_TIMEOUT)), hours.counts()),
                new JobOutcome(Objects.requireNonNull(service.tables().dayRows().block(SHORT_TIMEOUT)), days.counts()));
    }

    private Flux<Checkpoint> watched(Flux<Checkpoint> job, JobMonitor monitor) {
        return job.doOnNext(checkpoint -> {
            monitor.committed(checkpoint);
            killSwitch.committed(checkpoint.commit());
        });
    }

    private Standing standing() {
        long slowest = clock.slowest();
        long newest = meter.newestArrivalMillis();
        boolean known = slowest != Long.MIN_VALUE && newest != Long.MIN_VALUE;
        return new Standing(
                service.appended(FlightService.STREAM),
                Math.min(hours.counts().sum(), days.counts().sum()),
                known ? Math.max(0, newest - slowest + settings.delay().toMillis()) : -1);
    }
}
