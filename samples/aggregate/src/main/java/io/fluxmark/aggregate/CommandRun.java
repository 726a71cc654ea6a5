package io.fluxmark.aggregate;

import io.fluxmark.windows.EventTime;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.logging.Level;
import java.util.logging.Logger;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import reactor.util.Loggers;

/** Runs a command, and turns what goes wrong into its exit code and message. */
final class CommandRun {

    private static final int EXIT_DATA = 65;

    /** Held, because a logger that nobody holds forgets its level. */
    private static final Logger EVENT_TIME = Logger.getLogger(EventTime.class.getName());

    private CommandRun() {}

    /** What a command does. */
    @FunctionalInterface
    interface Body {

        int run(Terminal terminal) throws IOException;
    }

    /** The exit code of {@code body}. */
    static int of(CommandSpec spec, boolean resultsToStandardOutput, Body body) throws IOException {
        Loggers.useJdkLoggers(); // standard output is for results alone
        EVENT_TIME.setLevel(Level.SEVERE); // the command says itself, with its own option, that a unit looks wrong
        PrintWriter err = spec.commandLine().getErr();
        try {
            return body.run(Terminal.ofProcess(err, resultsToStandardOutput));
        } catch (DataException e) {
            err.println("fluxmark: " + e.getMessage());
            err.flush();
            return EXIT_DATA;
        } catch (UsageException e) {
            throw new ParameterException(spec.commandLine(), e.getMessage(), e);
        } catch (IOException e) {
            if (resultsToStandardOutput && isBrokenPipe(e)) {
                return 0; // whoever read the results has seen enough
            }
            throw e;
        }
    }

    private static boolean isBrokenPipe(IOException e) {
        return e.getMessage() != null && e.getMessage().toLowerCase(Locale.ROOT).contains("broken pipe");
    }
}
