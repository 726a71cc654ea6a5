package io.fluxmark.aggregate.input;

import io.fluxmark.aggregate.UsageException;
import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/** A file or standard input, opened: unpacked where it is gzip, whatever its name, and with its format known. */
public final class EventInput implements Closeable {

    private static final int PEEK = 1 << 13;

    private final CountingStream raw;
    private final long size;
    private final InputFormat format;
    private final RecordReader reader;

    private EventInput(CountingStream raw, long size, InputFormat format, RecordReader reader) {
        this.raw = raw;
        this.size = size;
        this.format = format;
        this.reader = reader;
    }

    /**
     * Opens {@code file}, or standard input where it is a dash.
     *
     * @param wanted the format, or null to guess it
     * @throws UsageException where there is no such file, or its format can't be guessed
     */
    public static EventInput open(String file, @Nullable InputFormat wanted, InputStream standardInput)
            throws IOException {
        boolean standard = file.equals("-");
        Path path = Path.of(file);
        if (!standard) {
            requireReadable(path);
        }
        CountingStream raw = new CountingStream(standard ? standardInput : Files.newInputStream(path));
        try {
            InputStream plain = unpacked(new BufferedInputStream(raw, PEEK));
            InputFormat format = wanted == null ? InputFormat.guess(standard ? "" : file, peek(plain)) : wanted;
            return new EventInput(raw, standard ? -1 : Files.size(path), format, format.open(plain));
        } catch (IOException | RuntimeException e) {
            raw.close();
            throw e;
        }
    }

    private static void requireReadable(Path path) {
        if (!Files.exists(path)) {
            throw new UsageException(
                    "there is no file " + path + ": give --input an event file, or - for standard input");
        }
        if (Files.isDirectory(path)) {
            throw new UsageException(path + " is a directory: give --input one event file, or - for standard input");
        }
        if (!Files.isReadable(path)) {
            throw new UsageException("the file " + path + " may not be read: check its permissions");
        }
    }

    private static BufferedInputStream unpacked(BufferedInputStream in) throws IOException {
        in.mark(2);
        boolean gzip = in.read() == 0x1f && in.read() == 0x8b;
        in.reset();
        return gzip ? new BufferedInputStream(new GZIPInputStream(in, PEEK), PEEK) : in;
    }

    private static String peek(InputStream in) throws IOException {
        in.mark(PEEK);
        byte[] beginning = new byte[PEEK];
        int length = Math.max(0, in.read(beginning, 0, PEEK - 1));
        in.reset();
        return new String(beginning, 0, length, StandardCharsets.UTF_8);
    }

    /** The records. */
    public RecordReader records() {
        return reader;
    }

    /** The format, as given or guessed. */
    public InputFormat format() {
        return format;
    }

    /** Whether the log itself declares {@code field} as a time in seconds. */
    public boolean declaresSeconds(Field field) {
        return reader instanceof ZeekReader zeek && zeek.isTime(field);
    }

    /** The size of the file in bytes, or -1 of standard input. */
    public long size() {
        return size;
    }

    /** How many bytes of the file have been read; for any thread. */
    public long position() {
        return raw.count;
    }

    @Override
    public void close() throws IOException {
        reader.close();
    }

    private static final class CountingStream extends FilterInputStream {

        private volatile long count;

        CountingStream(InputStream in) {
            super(in);
        }

        @Override
        public int read() throws IOException {
            int read = super.read();
            advance(read < 0 ? 0 : 1);
            return read;
        }

        @Override
        public int read(byte[] bytes, int from, int length) throws IOException {
            int read = super.read(bytes, from, length);
            advance(Math.max(0, read));
            return read;
        }

        /** Written by the reading thread only. */
        @SuppressWarnings("NonAtomicVolatileUpdate")
        private void advance(int read) {
            count += read;
        }
    }
}
