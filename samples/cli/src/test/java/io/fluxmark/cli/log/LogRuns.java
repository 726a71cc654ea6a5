package io.fluxmark.cli.log;

import io.fluxmark.cli.Main;
import io.fluxmark.cli.console.Console;
import io.fluxmark.log.LogSpec;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import picocli.CommandLine;
import reactor.test.scheduler.VirtualTimeScheduler;

/** Runs {@code fluxmark log} in this process, on a clock that stands still. */
final class LogRuns {

    static final Instant NOW = Instant.parse("2026-01-05T08:00:00Z");

    private final LogSpec spec;

    LogRuns() {
        VirtualTimeScheduler clock = VirtualTimeScheduler.create();
        clock.advanceTimeTo(NOW);
        spec = LogSpec.defaults().clock(clock);
    }

    /** What a run left: its exit code, and what a terminal would show. */
    record Run(int exit, String output) {}

    Run run(String input, String... args) {
        return run(new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)), new ByteArrayOutputStream(), args);
    }

    /** Messages go to the screen too, behind the results. */
    Run run(InputStream input, OutputStream screen, String... args) {
        PrintWriter err = new PrintWriter(new OutputStreamWriter(screen, StandardCharsets.UTF_8), true);
        LogCommand log = new LogCommand(new Console(input, screen, err, false), spec);
        CommandLine command = Main.commandLine(new CommandLine.IFactory() {
            @Override
            public <K> K create(Class<K> type) throws Exception {
                return type == LogCommand.class
                        ? type.cast(log)
                        : CommandLine.defaultFactory().create(type);
            }
        });
        command.setErr(err);
        command.setOut(err);
        int exit = command.execute(args);
        return new Run(
                exit, screen instanceof ByteArrayOutputStream bytes ? bytes.toString(StandardCharsets.UTF_8) : "");
    }

    LogSpec spec() {
        return spec;
    }

    static String[] on(Path directory, String command, String topic, String... options) {
        String[] args = new String[options.length + 6];
        System.arraycopy(new String[] {"log", command, "--dir", directory.toString(), "--topic", topic}, 0, args, 0, 6);
        System.arraycopy(options, 0, args, 6, options.length);
        return args;
    }
}
