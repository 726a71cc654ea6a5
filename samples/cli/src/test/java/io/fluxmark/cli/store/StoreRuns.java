package io.fluxmark.cli.store;

import io.fluxmark.cli.Main;
import io.fluxmark.cli.console.Console;
import io.fluxmark.cli.console.DocumentedPage;
import io.fluxmark.log.AppendRecord;
import io.fluxmark.log.EventCodec;
import io.fluxmark.log.EventLog;
import io.fluxmark.sinks.JobSavepoints;
import io.fluxmark.sinks.LateTable;
import io.fluxmark.sinks.LogSource;
import io.fluxmark.sinks.TransactionalSink;
import io.fluxmark.state.Savepoint;
import io.fluxmark.state.SavepointSpec;
import io.fluxmark.state.Savepoints;
import io.fluxmark.state.StateStore;
import io.fluxmark.state.StoreSpec;
import io.fluxmark.windows.Aggregations;
import io.fluxmark.windows.CheckpointSpec;
import io.fluxmark.windows.Codec;
import io.fluxmark.windows.WatermarkSpec;
import io.fluxmark.windows.WindowResult;
import io.fluxmark.windows.WindowSpec;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import picocli.CommandLine;
import reactor.core.scheduler.Schedulers;

/** Runs {@code fluxmark store} in this process, and makes a store to look into. */
final class StoreRuns {

    static final Duration PATIENCE = Duration.ofSeconds(30);

    /** Departures: airport and time. Hours are windows, closed 10 minutes behind them, and corrected for another hour. */
    private static final List<String> DEPARTURES = List.of(
            "FRA 2026-01-05T08:05:00Z",
            "AMS 2026-01-05T08:20:00Z",
            "FRA 2026-01-05T08:40:00Z",
            "FRA 2026-01-05T09:15:00Z",
            "AMS 2026-01-05T08:50:00Z",
            "AMS 2026-01-05T09:30:00Z",
            "CDG 2026-01-05T10:15:00Z",
            "FRA 2026-01-05T09:59:00Z",
            "FRA 2026-01-05T07:30:00Z",
            "CDG 2026-01-05T10:40:00Z");

    private StoreRuns() {}

    /** Messages go to the screen too, behind the results. */
    static DocumentedPage.Run run(String... args) {
        ByteArrayOutputStream screen = new ByteArrayOutputStream();
        PrintWriter err = new PrintWriter(new OutputStreamWriter(screen, StandardCharsets.UTF_8), true);
        StoreCommand store = new StoreCommand(new Console(new ByteArrayInputStream(new byte[0]), screen, err, false));
        CommandLine command = Main.commandLine(new CommandLine.IFactory() {
            @Override
            public <K> K create(Class<K> type) throws Exception {
                return type == StoreCommand.class
                        ? type.cast(store)
                        : CommandLine.defaultFactory().create(type);
            }
        });
        command.setErr(err);
        command.setOut(err);
        return new DocumentedPage.Run(command.execute(args), screen.toString(StandardCharsets.UTF_8));
    }

    private static String airport(String departure) {
        return departure.substring(0, 3);
    }

    private static long time(String departure) {
        return Instant.parse(departure.substring(4)).toEpochMilli();
    }

    /** A store whose job has counted departures by airport and hour. Written in one piece, so its file is always the same. */
    static void departures(Path directory, Path scratch) {
        StoreSpec within = StoreSpec.defaults().executor(Runnable::run).scheduler(Schedulers.immediate());
        try (EventLog log = EventLog.open(scratch.resolve("log")).block(PATIENCE);
                StateStore store =
                        StateStore.open(scratch.resolve("state"), within).block(PATIENCE)) {
            log.createTopic("departures", 1).block(PATIENCE);
            log.topic("departures")
                    .append(DEPARTURES.stream()
                            .map(departure -> AppendRecord.of(bytes(airport(departure)), bytes(departure)))
                            .toList())
                    .block(PATIENCE);
            TransactionalSink<WindowResult<String, Long>> sink = TransactionalSink.<String, Long>table(store, "by-hour")
                    .and(TransactionalSink.changelog(store, "by-hour"));
            LogSource.of(log.topic("departures", EventCodec.utf8()))
                    .watermarksMillis(StoreRuns::time, WatermarkSpec.boundedOutOfOrderness(Duration.ofMinutes(10)))
                    .keyByRecordKey(StoreRuns::airport)
                    .window(WindowSpec.tumbling(Duration.ofHours(1)).allowedLateness(Duration.ofHours(1)))
                    .lateTo(LateTable.of(store, "too-late", Codec.strings()))
                    .aggregate(Aggregations.counting())
                    .writeTo(
                            sink,
                            CheckpointSpec.everyEvents(DEPARTURES.size())
                                    .orEvery(Duration.ofHours(1))
                                    .named("departures"))
                    .take(1)
                    .blockLast(PATIENCE);
            Savepoint savepoint = JobSavepoints.take(store, scratch, SavepointSpec.named("whole"))
                    .block(PATIENCE);
            Savepoints.restore(savepoint, directory).block(PATIENCE);
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
