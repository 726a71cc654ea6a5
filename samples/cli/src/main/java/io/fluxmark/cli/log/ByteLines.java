package io.fluxmark.cli.log;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Lines that end in LF or CR LF, as the bytes they are, with their numbers. Not thread-safe. */
final class ByteLines {

    private static final int BUFFER_BYTES = 1 << 16;

    private final InputStream in;
    private final int maxBytes;
    private final byte[] buffer = new byte[BUFFER_BYTES];
    private int position;
    private int limit;
    private long number;

    /**
     * @param maxBytes the longest line there may be
     */
    ByteLines(InputStream in, int maxBytes) {
        this.in = in;
        this.maxBytes = maxBytes;
    }

    /** The number of the line that {@link #next} returned, counted from 1. */
    long number() {
        return number;
    }

    /**
     * The next line without its end, or null at the end of the input.
     *
     * @throws BadInputException if it is too long
     */
    byte @Nullable [] next() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        boolean any = false;
        while (position < limit || fill()) {
            if (!any) {
                any = true;
                number++;
            }
            int from = position;
            while (position < limit && buffer[position] != '\n') {
                position++;
            }
            if (line.size() + position - from > maxBytes) {
                throw new BadInputException(number, "it has more than " + maxBytes + " bytes: make it shorter");
            }
            line.write(buffer, from, position - from);
            if (position < limit) {
                position++;
                return withoutReturn(line.toByteArray());
            }
        }
        return any ? withoutReturn(line.toByteArray()) : null;
    }

    private boolean fill() throws IOException {
        position = 0;
        limit = Math.max(0, in.read(buffer, 0, buffer.length));
        return limit > 0;
    }

    private static byte[] withoutReturn(byte[] line) {
        boolean has = line.length > 0 && line[line.length - 1] == '\r';
        return has ? Arrays.copyOf(line, line.length - 1) : line;
    }
}
