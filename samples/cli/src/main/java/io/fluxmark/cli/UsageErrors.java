package io.fluxmark.cli;

import java.io.PrintWriter;
import picocli.CommandLine;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;

/** Bad usage: the reason and the remedy in two lines, exit code 64. */
final class UsageErrors implements IParameterExceptionHandler {

    static final int EXIT_USAGE = 64;

    @Override
    public int handleParseException(ParameterException exception, String[] args) {
        CommandLine command = exception.getCommandLine();
        PrintWriter err = command.getErr();
        err.println("fluxmark: " + exception.getMessage());
        CommandLine.UnmatchedArgumentException.printSuggestions(exception, err);
        err.println("See: ./" + command.getCommandSpec().qualifiedName() + " --help");
        err.flush();
        return EXIT_USAGE;
    }
}
