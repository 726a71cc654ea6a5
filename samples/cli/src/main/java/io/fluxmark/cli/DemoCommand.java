package io.fluxmark.cli;

import io.fluxmark.quickstart.DataMismatchException;
import io.fluxmark.quickstart.Demo;
import io.fluxmark.quickstart.DemoSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The main job on real data. */
@Command(
        name = "demo",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        usageHelpAutoWidth = true,
        description = {
            "Replay real departures into the log, count them by event time, show how wrong other ways are.",
            "Exit code 0 if the output equals the batch result over the accepted events, 1 if not."
        })
final class DemoCommand implements Callable<Integer> {

    @Option(
            names = "--delay",
            paramLabel = "DURATION",
            defaultValue = "2h",
            description = "How much disorder the watermark waits for (default: ${DEFAULT-VALUE}).")
    private Duration delay = Duration.ofHours(2);

    @Option(
            names = "--lateness",
            paramLabel = "DURATION",
            defaultValue = "2h",
            description = "How long after its firing a window takes corrections (default: ${DEFAULT-VALUE}).")
    private Duration lateness = Duration.ofHours(2);

    @Option(
            names = "--late",
            paramLabel = "drop|side",
            defaultValue = "drop",
            description = "What happens to flights beyond that: dropped and counted, or kept as committed rows"
                    + " (default: ${DEFAULT-VALUE}).")
    private DemoSettings.Late late = DemoSettings.Late.DROP;

    @Option(
            names = "--checkpoint-events",
            paramLabel = "N",
            defaultValue = "4000",
            description = "Events of a lane per transaction (default: ${DEFAULT-VALUE}).")
    private int checkpointEvents = 4_000;

    @Option(
            names = "--data",
            paramLabel = "DIR",
            description = "Keep log and store in this directory, and resume from what is there.")
    private @Nullable Path data;

    @Option(names = "--keep", description = "Keep the temporary directory that is used without --data.")
    private boolean keep;

    @Option(
            names = "--kill-after",
            paramLabel = "N",
            description = "Halt the JVM (exit code 137) right after the Nth durable commit of this run.")
    private @Nullable Integer killAfter;

    @Option(names = "--full", description = "Print all 70 airport-days, not only the worst five.")
    private boolean full;

    @Option(names = "--profile", description = "Print where the time went: HTTP, append, decode, window, commit.")
    private boolean profile;

    @Option(
            names = "--serve",
            description = "Keep running afterwards, with two curl lines to try: a late flight, and what it corrects.")
    private boolean serve;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before call
    private CommandSpec spec;

    @Override
    public Integer call() {
        DemoSettings settings;
        try {
            settings = DemoSettings.defaults()
                    .delay(delay)
                    .lateness(lateness)
                    .late(late)
                    .checkpointEvents(checkpointEvents)
                    .data(data)
                    .keep(keep)
                    .killAfter(killAfter == null ? 0 : positive("--kill-after", killAfter))
                    .full(full)
                    .profile(profile)
                    .serve(serve);
        } catch (IllegalArgumentException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
        try {
            return new Demo(settings, System.out, System.err).run();
        } catch (DataMismatchException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        }
    }

    private static int positive(String option, int value) {
        if (value < 1) {
            throw new IllegalArgumentException(option + " is " + value + ": use 1 or more.");
        }
        return value;
    }
}
