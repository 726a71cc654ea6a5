package io.fluxmark.aggregate.input;

import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Lines of UTF-8 that end in LF or CR LF, with their numbers. A line that is longer than the limit is cut, and said to
 * be, so that no input can fill the memory.
 */
final class LineReader implements Closeable {

    /** The longest line that is read whole, in bytes. */
    static final int MAX_LINE = 1 << 23;

    private static final int BUFFER = 1 << 16;

    private final InputStream in;
    private final int maxLine;
    private final byte[] buffer = new byte[BUFFER];
    private int position;
    private int limit;

    /** What of the current line lies in earlier buffers. */
    private byte[] begun = new byte[256];

    private int begunLength;
    private boolean cut;
    private long number;

    LineReader(InputStream in) {
        this(in, MAX_LINE);
    }

    LineReader(InputStream in, int maxLine) {
        this.in = in;
        this.maxLine = maxLine;
    }

    /** The next line without its end, or null at the end of the input. */
    @Nullable
    String next() throws IOException {
        begunLength = 0;
        cut = false;
        for (; ; ) {
            if (position == limit && !fill()) {
                if (begunLength == 0 && !cut) {
                    return null;
                }
                return line(buffer, 0, 0);
            }
            int from = position;
            while (position < limit) {
                if (buffer[position++] == '\n') {
                    return line(buffer, from, position - 1 - from);
                }
            }
            keep(from, limit - from);
        }
    }

    /** The number of the line that {@link #next} returned, counted from 1. */
    long number() {
        return number;
    }

    /** Whether that line was too long, and is not whole. */
    boolean wasCut() {
        return cut;
    }

    /** Whether nothing is at hand, so that the next line may have to be waited for. */
    boolean mayBlock() throws IOException {
        return position == limit && in.available() == 0;
    }

    private boolean fill() throws IOException {
        int read = in.read(buffer, 0, buffer.length);
        position = 0;
        limit = Math.max(0, read);
        return read > 0;
    }

    private void keep(int from, int length) {
        int room = Math.max(0, maxLine - begunLength);
        cut |= length > room;
        int kept = Math.min(length, room);
        if (begunLength + kept > begun.length) {
            begun = Arrays.copyOf(begun, Math.max(begunLength + kept, begun.length * 2));
        }
        System.arraycopy(buffer, from, begun, begunLength, kept);
        begunLength += kept;
    }

    private String line(byte[] bytes, int from, int length) {
        number++;
        if (begunLength > 0 || cut) {
            keep(from, length);
            return text(begun, 0, begunLength);
        }
        return text(bytes, from, length);
    }

    private static String text(byte[] bytes, int from, int length) {
        int end = length > 0 && bytes[from + length - 1] == '\r' ? length - 1 : length;
        return new String(bytes, from, end, StandardCharsets.UTF_8);
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
