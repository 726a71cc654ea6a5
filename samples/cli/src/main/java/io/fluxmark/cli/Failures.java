package io.fluxmark.cli;

import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.ParseResult;

/** A failed run: its messages, outermost first; the stack trace only with {@code -Dfluxmark.trace=true}. */
final class Failures implements IExecutionExceptionHandler {

    static final int EXIT_FAILURE = 70;

    @Override
    public int handleExecutionException(Exception exception, CommandLine command, ParseResult parsed) {
        if (exception instanceof CommandLine.ParameterException usage) {
            return new UsageErrors().handleParseException(usage, new String[0]);
        }
        PrintWriter err = command.getErr();
        String before = "";
        for (Throwable t = exception; t != null; t = t.getCause()) {
            String message = t.getMessage() == null ? t.getClass().getSimpleName() : t.getMessage();
            if (!before.contains(message)) {
                err.println("fluxmark: " + message);
            }
            before = message;
        }
        if (Boolean.getBoolean("fluxmark.trace")) {
            exception.printStackTrace(err);
        } else {
            err.println("For the stack trace: FLUXMARK_JVM_OPTIONS=-Dfluxmark.trace=true");
        }
        err.flush();
        return EXIT_FAILURE;
    }
}
