package io.fluxmark.quickstart;

import io.fluxmark.quickstart.plain.Flight;
import io.fluxmark.quickstart.plain.FlightsFile;
import io.fluxmark.quickstart.plain.PlainPartitions;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.util.List;
import reactor.core.scheduler.Schedulers;

/** The main job, from the flights file to the first screen. */
public final class Demo {

    private final DemoSettings settings;
    private final PrintStream out;
    private final PrintStream err;

    /**
     * A demo that is yet to run.
     *
     * @param out takes the first screen
     * @param err takes the progress
     */
    public Demo(DemoSettings settings, PrintStream out, PrintStream err) {
        this.settings = settings;
        this.out = out;
        this.err = err;
    }

    /**
     * Runs it, on the calling thread.
     *
     * @return the exit code: 0 if the output equals the batch result over the accepted events, 1 if it differs
     * @throws DataMismatchException if the data directory was made with other settings
     */
    public int run() {
        List<Flight> flights = FlightsFile.bundled();
        try (DataDirectory directory = DataDirectory.open(settings);
                FlightService service = FlightService.open(directory)) {
            err.println("Log, store and HTTP server are up: " + service.address() + ", data in " + directory.path());
            StageSampler sampler = settings.profile() ? new StageSampler(Schedulers.boundedElastic()) : null;
            FlightRun.Outcomes outcomes = new FlightRun(flights, settings, service, err).run();
            if (sampler != null) {
                sampler.dispose();
            }
            PlainPartitions partitions = new PlainPartitions(FlightService.PARTITIONS);
            Screen.Result screen = new Screen(flights, partitions, settings).render(outcomes.hours(), outcomes.days());
            screen.lines().forEach(out::println);
            if (sampler != null) {
                out.println();
                sampler.lines().forEach(out::println);
            }
            if (settings.serve()) {
                serve(flights, service);
            }
            return screen.equal() ? 0 : 1;
        } catch (IOException e) {
            throw new UncheckedIOException("The demo's data can't be kept: " + e.getMessage(), e);
        }
    }

    private void serve(List<Flight> flights, FlightService service) {
        try (LiveView view = new LiveView(flights, settings, service)) {
            out.println();
            view.start().forEach(out::println);
            view.await();
        }
    }
}
