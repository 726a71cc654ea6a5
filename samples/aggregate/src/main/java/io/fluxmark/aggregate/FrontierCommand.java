package io.fluxmark.aggregate;

import io.fluxmark.aggregate.frontier.FrontierRun;
import io.fluxmark.aggregate.frontier.FrontierSettings;
import io.fluxmark.aggregate.run.InputSettings;
import io.fluxmark.aggregate.value.Term;
import io.fluxmark.windows.WindowSpec;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** What each watermark delay would cost and gain on an event file. */
@Command(
        name = "frontier",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        usageHelpAutoWidth = true,
        description = {
            "Compare watermark delays on an event file: how complete windows are at their first firing, and how long they"
                    + " take to fire. Proposes the smallest delays for 99 %%, 99.9 %% and 100 %%.",
            "For example: ./fluxmark frontier --input conn.log.gz --time ts --window tumbling:10s --delays 0,1s,5s,30s"
        },
        footer = {
            "",
            "completeness: the share of events counted in their window at its first firing; of sliding windows, of events"
                    + " and windows of theirs; of sessions, of events that are not late.",
            "later than delay: the share of events further behind the largest event time before them.",
            "Exit codes: 0 success, 64 bad usage, 65 bad data, 70 a failure."
        })
public final class FrontierCommand implements Callable<Integer> {

    @Mixin
    private InputOptions input = new InputOptions();

    @Option(
            names = "--delays",
            paramLabel = "LIST",
            defaultValue = "0,1s,5s,30s,1m,5m,10m",
            description = "The delays to compare, separated by commas (default: ${DEFAULT-VALUE}).")
    private String delays = "";

    @Option(
            names = "--auto",
            paramLabel = "PERCENT[,PERCENT]",
            description =
                    "Compare, too, a delay that is found from the events as they come, so that this share of them is in"
                            + " time: 99.9%%. It begins with the longest of --delays, which it never exceeds.")
    private @Nullable String auto;

    @Option(
            names = "--window",
            paramLabel = "WINDOW",
            defaultValue = "tumbling:1m",
            description =
                    "tumbling:10s[+offset], sliding:10s/2s[+offset], session:5s, day:ZONE, week:ZONE or month:ZONE"
                            + " (default: ${DEFAULT-VALUE}).")
    private String window = "";

    @Option(
            names = "--max-ahead",
            paramLabel = "DURATION",
            defaultValue = "1h",
            converter = DurationOption.class,
            description = "Reject times further in the future of the clock than this (default: ${DEFAULT-VALUE}).")
    private Duration maxAhead = Duration.ofHours(1);

    @Option(names = "--fail-fast", description = "End with exit code 65 at the first line that can't be used.")
    private boolean failFast;

    @Option(names = "--csv", paramLabel = "FILE", description = "Write the figures there, too.")
    private @Nullable Path csv;

    @Option(names = "--png", paramLabel = "FILE", description = "Plot completeness against latency.")
    private @Nullable Path png;

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before call
    private CommandSpec spec;

    /** For picocli. */
    public FrontierCommand() {}

    @Override
    public Integer call() throws IOException {
        return CommandRun.of(spec, true, terminal -> FrontierRun.run(settings(), terminal));
    }

    private FrontierSettings settings() {
        WindowText windows = WindowText.parse(window);
        if (!windows.spec().hasFixedWindows() && windows.spec().kind() != WindowSpec.Kind.SESSION) {
            throw new UsageException("no event is late for --window " + window + ", so delays change nothing: use"
                    + " tumbling, sliding, session or calendar windows");
        }
        OutputPaths paths = new OutputPaths(input.input());
        return new FrontierSettings(
                inputSettings(),
                windows,
                window,
                parsedDelays(),
                auto(),
                maxAhead,
                failFast,
                paths.checked("--csv", csv),
                paths.checked("--png", png));
    }

    private InputSettings inputSettings() {
        return new InputSettings(
                input.input(),
                input.format(),
                input.time(),
                input.timeUnit(),
                input.arrival(),
                input.sortBy(),
                input.keys(),
                List.of(),
                null,
                1,
                Term.parse("count"),
                false);
    }

    private List<Double> auto() {
        List<Double> parsed = new ArrayList<>();
        for (String part : auto == null ? new String[0] : auto.split(",", -1)) {
            try {
                parsed.add(PercentText.parse(part));
            } catch (IllegalArgumentException e) {
                throw new UsageException("--auto " + auto + ": " + e.getMessage());
            }
        }
        if (!parsed.isEmpty() && Collections.max(parsedDelays()).toMillis() < 1) {
            throw new UsageException(
                    "--auto chooses delays up to the longest of --delays, which is 0: add a longer one");
        }
        return parsed;
    }

    private List<Duration> parsedDelays() {
        List<Duration> parsed = new ArrayList<>();
        for (String part : delays.split(",", -1)) {
            try {
                parsed.add(DurationText.parse(part));
            } catch (IllegalArgumentException e) {
                throw new UsageException("--delays " + delays + ": " + e.getMessage());
            }
        }
        return parsed;
    }
}
