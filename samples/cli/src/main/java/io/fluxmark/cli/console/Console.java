package io.fluxmark.cli.console;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;

/**
 * Where a command reads and writes.
 *
 * @param in standard input
 * @param out standard output, unbuffered; what can't be written is an exception and not a flag
 * @param err messages and progress
 * @param attended whether a person sees {@code err}, and results do not go to the same place
 */
public record Console(InputStream in, OutputStream out, PrintWriter err, boolean attended) {

    /** That of the process. */
    public static Console ofProcess() {
        boolean attended = Boolean.getBoolean("fluxmark.terminal") && !Boolean.getBoolean("fluxmark.terminal.out");
        return new Console(
                System.in,
                new FileOutputStream(FileDescriptor.out),
                new PrintWriter(System.err, true, StandardCharsets.UTF_8),
                attended);
    }

    /** Writes a line of results. */
    public void print(String line) throws IOException {
        out.write((line + "\n").getBytes(StandardCharsets.UTF_8));
    }
}
