package io.fluxmark.aggregate;

import io.fluxmark.aggregate.input.Field;
import io.fluxmark.aggregate.run.AggregateRun;
import io.fluxmark.aggregate.run.AggregateSettings;
import io.fluxmark.aggregate.run.InputSettings;
import io.fluxmark.aggregate.run.PipelineSettings;
import io.fluxmark.aggregate.value.Term;
import io.fluxmark.windows.Accumulation;
import io.fluxmark.windows.Early;
import io.fluxmark.windows.EventBatch;
import io.fluxmark.windows.WatermarkSpec;
import io.fluxmark.windows.WindowSpec;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Windows over an event file: one JSON line for each emission. */
@Command(
        name = "aggregate",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        usageHelpAutoWidth = true,
        description = {
            "Aggregate events of a file or pipe in event-time windows: one JSON line for each emission.",
            "For example: zcat access.log.gz | ./fluxmark aggregate --format clf --time time --window tumbling:1h"
        },
        footer = {
            "",
            "Durations: 500ms, 30s, 5m, 2h, 1d, 1h30m. Lines that can't be used are counted and reported, not fatal.",
            "Exit codes: 0 success, 1 the batch check found a difference, 64 bad usage, 65 bad data, 70 a failure."
        })
public final class AggregateCommand implements Callable<Integer> {

    /** What happens to events beyond the allowed lateness. */
    enum Late {
        DROP,
        SIDE
    }

    private static final Duration REMEMBERED = Duration.ofHours(1);

    @Mixin
    private InputOptions input = new InputOptions();

    @Option(
            names = "--window",
            paramLabel = "WINDOW",
            required = true,
            description = "tumbling:10s[+offset], sliding:10s/2s[+offset], session:5s, day:Europe/Berlin,"
                    + " week:ZONE[/sunday], month:ZONE, count:100 or global.")
    @SuppressWarnings("NullAway.Init") // required option
    private String window;

    @Option(
            names = "--agg",
            paramLabel = "LIST",
            defaultValue = "count",
            description =
                    "Of count, sum:F, min:F, max:F, avg:F, separated by commas (default: ${DEFAULT-VALUE}). Each is"
                            + " a member of the value, named as written here. Sums are exact. An event without the field, or with"
                            + " one that is no number, adds nothing to that term; min, max and avg of nothing are null.")
    private String agg = "count";

    @Option(
            names = "--delay",
            paramLabel = "DURATION",
            defaultValue = "5s",
            converter = DurationOption.class,
            description = "How much disorder the watermark waits for (default: ${DEFAULT-VALUE}).")
    private Duration delay = Duration.ofSeconds(5);

    @Option(
            names = "--lateness",
            paramLabel = "DURATION",
            defaultValue = "0s",
            converter = DurationOption.class,
            description = "How far behind a fired window events still re-fire it (default: ${DEFAULT-VALUE}).")
    private Duration lateness = Duration.ZERO;

    @Option(
            names = "--late",
            paramLabel = "drop|side",
            description = "What is later than that: dropped and counted (default), or counted and written to the late"
                    + " output.")
    private @Nullable Late late;

    @Option(
            names = "--late-output",
            paramLabel = "FILE",
            description = "Where late events go, one JSON line each; means --late side.")
    private @Nullable Path lateOutput;

    @Option(
            names = "--dedupe",
            paramLabel = "FIELD[,FIELD]",
            description =
                    "Count only the first of the events that agree in these fields, within a partition; with --global"
                            + " over all of them. The others are counted as duplicates.")
    private @Nullable String dedupe;

    @Option(
            names = "--dedupe-ttl",
            paramLabel = "DURATION",
            converter = DurationOption.class,
            description = "For how long in event time that is remembered, from the first one (default: 1h). More than"
                    + " --lateness; an event later than that can't be told from a duplicate and is too late.")
    private @Nullable Duration dedupeTtl;

    @Option(
            names = "--accumulate",
            paramLabel = "MODE",
            defaultValue = "retract",
            description = "What a window says that emits again: retract the old value, then the new one (default);"
                    + " accumulate: the new one; discard: what has come since.")
    private Accumulation accumulate = Accumulation.RETRACT;

    @Option(
            names = "--early",
            paramLabel = "DURATION",
            converter = DurationOption.class,
            description = "Show open windows that have changed at every multiple of this on the clock.")
    private @Nullable Duration early;

    @Option(
            names = "--early-count",
            paramLabel = "N",
            description = "Show an open window whenever it has N more events of a key.")
    private @Nullable Long earlyCount;

    @Option(
            names = "--idle",
            paramLabel = "DURATION",
            converter = DurationOption.class,
            description = "A partition silent for so long holds the watermark back no more.")
    private @Nullable Duration idle;

    @Option(
            names = "--follow-clock",
            paramLabel = "DURATION",
            converter = DurationOption.class,
            description = "After so long a silence of all partitions the watermark goes on with the clock.")
    private @Nullable Duration followClock;

    @Option(
            names = "--max-ahead",
            paramLabel = "DURATION",
            defaultValue = "1h",
            converter = DurationOption.class,
            description = "Reject times further in the future of the clock than this (default: ${DEFAULT-VALUE}).")
    private Duration maxAhead = Duration.ofHours(1);

    @Option(
            names = "--partitions",
            paramLabel = "N",
            defaultValue = "1",
            description = "How many partitions the input has, each with a watermark of its own (default: 1).")
    private int partitions = 1;

    @Option(
            names = "--partition-by",
            paramLabel = "FIELD",
            description = "The partition of an event, an integer from 0.")
    private @Nullable String partitionBy;

    @Option(names = "--global", description = "One watermark, the minimum over the partitions; keys may be in several.")
    private boolean global;

    @Option(
            names = "--request",
            paramLabel = "N",
            description = "Ask the pipeline for N elements at a time (default: all). Changes no result.")
    private @Nullable Long request;

    @Option(
            names = "--run-size",
            paramLabel = "N",
            defaultValue = "256",
            description = "Events that travel together at most, 1 to 256 (default: 256). Changes no result.")
    private int runSize = EventBatch.MAX_SIZE;

    @Option(
            names = "--check-batch",
            description =
                    "Hold the output against a plain batch result over the accepted events. Remembers all events.")
    private boolean checkBatch;

    @Option(
            names = "--explain",
            description =
                    "Say on standard error, when the input ends and before that fires everything, why the windows have"
                            + " not fired: who holds the watermark, and what would fire next.")
    private boolean explain;

    @Option(names = "--fail-fast", description = "End with exit code 65 at the first line that can't be used.")
    private boolean failFast;

    @Option(names = "--summary", paramLabel = "FILE", description = "Write the counters there, as one JSON object.")
    private @Nullable Path summary;

    @Option(
            names = "--output",
            paramLabel = "FILE|-",
            defaultValue = "-",
            description = "Where results go (default: standard output).")
    private String output = "-";

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before call
    private CommandSpec spec;

    /** For picocli. */
    public AggregateCommand() {}

    @Override
    public Integer call() throws IOException {
        return CommandRun.of(spec, output.equals("-"), terminal -> AggregateRun.run(settings(), terminal));
    }

    private AggregateSettings settings() {
        try {
            AggregateSettings settings = checkedSettings();
            settings.pipeline().assemble();
            return settings;
        } catch (IllegalArgumentException | IllegalStateException e) {
            throw new UsageException(e.getMessage() == null ? e.toString() : e.getMessage());
        }
    }

    private AggregateSettings checkedSettings() {
        List<Term> terms = Term.parse(agg);
        WindowText windows = windows();
        OutputPaths paths = new OutputPaths(input.input());
        return new AggregateSettings(
                inputSettings(terms),
                pipeline(windows, terms),
                windows,
                output.equals("-") ? null : paths.checked("--output", Path.of(output)),
                paths.checked("--late-output", lateOutput),
                paths.checked("--summary", summary),
                checkBatch,
                explain,
                failFast);
    }

    private boolean side() {
        if (late == Late.DROP && lateOutput != null) {
            throw new UsageException("--late drop leaves nothing for --late-output: use --late side, or leave it out");
        }
        return late == Late.SIDE || lateOutput != null;
    }

    private InputSettings inputSettings(List<Term> terms) {
        if (partitions < 1) {
            throw new UsageException("--partitions is " + partitions + ": use 1 or more");
        }
        if (partitions > 1 && partitionBy == null) {
            throw new UsageException("--partitions " + partitions
                    + " does not say which partition an event is of: add --partition-by FIELD");
        }
        Field by = partitions > 1 ? InputOptions.field(partitionBy) : null;
        return new InputSettings(
                input.input(),
                input.format(),
                input.time(),
                input.timeUnit(),
                input.arrival(),
                input.sortBy(),
                input.keys(),
                InputOptions.fields(dedupe),
                by,
                partitions,
                terms,
                lateOutput != null);
    }

    private WindowText windows() {
        WindowText named = WindowText.parse(window);
        WindowSpec windows = named.spec().allowedLateness(lateness).accumulation(accumulate);
        if (early != null && earlyCount != null) {
            throw new UsageException("--early and --early-count are two ways of the same: use one of them");
        }
        if (early != null) {
            windows = windows.early(Early.every(early));
        }
        if (earlyCount != null) {
            windows = windows.early(Early.everyCount(earlyCount));
        }
        return named.with(windows);
    }

    private PipelineSettings pipeline(WindowText windows, List<Term> terms) {
        if (runSize < 1 || runSize > EventBatch.MAX_SIZE) {
            throw new UsageException("--run-size is " + runSize + ": use 1 to " + EventBatch.MAX_SIZE);
        }
        if (request != null && request < 1) {
            throw new UsageException("--request is " + request + ": use 1 or more");
        }
        PipelineSettings pipeline = new PipelineSettings(
                windows.spec(),
                watermarks(),
                terms,
                side(),
                partitions,
                global,
                request == null ? Long.MAX_VALUE : request,
                failFast ? 1 : runSize); // what came before the line that ends the run is to be seen
        Duration ids = remembered();
        return ids == null ? pipeline : pipeline.deduping(ids);
    }

    /** For how long ids are remembered; null where all events count. */
    private @Nullable Duration remembered() {
        if (dedupe == null) {
            if (dedupeTtl != null) {
                throw new UsageException("--dedupe-ttl says for how long ids are remembered, and there are none: add"
                        + " --dedupe FIELD");
            }
            return null;
        }
        Duration ids = dedupeTtl == null ? REMEMBERED : dedupeTtl;
        if (ids.toMillis() < 1) {
            throw new UsageException("--dedupe-ttl is " + DurationText.text(ids.toMillis()) + ": use 1ms or more");
        }
        if (ids.compareTo(lateness) <= 0) {
            throw new UsageException(
                    "--dedupe-ttl " + DurationText.text(ids.toMillis()) + " is not more than --lateness "
                            + DurationText.text(lateness.toMillis())
                            + ": events could not be told from duplicates for as long as windows take them; raise --dedupe-ttl");
        }
        return ids;
    }

    private WatermarkSpec watermarks() {
        WatermarkSpec watermarks = WatermarkSpec.boundedOutOfOrderness(delay).maxAhead(maxAhead);
        if (idle != null) {
            watermarks = watermarks.idleAfter(idle);
        }
        return followClock == null ? watermarks : watermarks.followClockWhenIdle(followClock);
    }
}
