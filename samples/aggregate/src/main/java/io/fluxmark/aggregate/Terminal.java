package io.fluxmark.aggregate;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;

/**
 * Where a command reads and writes.
 *
 * @param in standard input
 * @param out standard output, unbuffered; what can't be written is an exception and not a flag
 * @param err messages
 * @param showsProgress whether a person sees {@code err}, and results do not go to the same place
 */
public record Terminal(InputStream in, OutputStream out, PrintWriter err, boolean showsProgress) {

    /** That of the process. */
    static Terminal ofProcess(PrintWriter err, boolean resultsToStandardOutput) {
        boolean terminal = Boolean.getBoolean("fluxmark.terminal");
        boolean shared = resultsToStandardOutput && Boolean.getBoolean("fluxmark.terminal.out");
        return new Terminal(System.in, new FileOutputStream(FileDescriptor.out), err, terminal && !shared);
    }
}
