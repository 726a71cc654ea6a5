package io.fluxmark.log;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Locale;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;

/**
 * How the records of a batch are compressed. Batches say it of themselves: what is written may be changed at any time, and
 * every batch is read as it was written. The types and their streams are those of Apache Kafka.
 */
public enum Compression {

    /** Not at all: the fastest to append and to read. */
    NONE(0, ""),

    /** Deflate as in {@link java.util.zip}: needs nothing. */
    GZIP(1, ""),

    /** The LZ4 frame format: little work. Needs {@code at.yawk.lz4:lz4-java} on the class path. */
    LZ4(3, "at.yawk.lz4:lz4-java"),

    /** Zstandard at its usual level: small files. Needs {@code com.github.luben:zstd-jni} on the class path. */
    ZSTD(4, "com.github.luben:zstd-jni");

    private static final int BUFFER_BYTES = 8 << 10;
    private static final int SNAPPY = 2;

    private final int id;
    private final String library;

    Compression(int id, String library) {
        this.id = id;
        this.library = library;
    }

    /** The number in a batch's attributes. */
    int id() {
        return id;
    }

    /**
     * The type of that number.
     *
     * @throws UnsupportedFormatException if it is not known here
     */
    static Compression of(int id) {
        for (Compression each : values()) {
            if (each.id == id) {
                return each;
            }
        }
        throw new UnsupportedFormatException((id == SNAPPY ? "compression snappy" : "compression type " + id)
                + " is not read; write the topic again with none, gzip, lz4 or zstd");
    }

    /** Fails at once, not at the first append, where the library is missing. */
    Compression requireUsable() {
        try (OutputStream probe = compress(OutputStream.nullOutputStream())) {
            probe.write(0);
            return this;
        } catch (IOException e) {
            throw new UnsupportedFormatException(this + " can't be written: " + e.getMessage());
        }
    }

    /** Compresses what is written; to be closed. */
    OutputStream compress(OutputStream to) throws IOException {
        try {
            return switch (this) {
                case NONE -> to;
                case GZIP -> new GZIPOutputStream(to, BUFFER_BYTES);
                case LZ4 -> Lz4Streams.compress(to);
                case ZSTD -> ZstdStreams.compress(to);
            };
        } catch (LinkageError e) {
            throw unusable(e);
        }
    }

    /** Reads what was compressed; to be closed. */
    InputStream decompress(InputStream from) throws IOException {
        try {
            return switch (this) {
                case NONE -> from;
                case GZIP -> new GZIPInputStream(from, BUFFER_BYTES);
                case LZ4 -> Lz4Streams.decompress(from);
                case ZSTD -> ZstdStreams.decompress(from);
            };
        } catch (LinkageError e) {
            throw unusable(e);
        }
    }

    /** The name in lower case, as Kafka writes it. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }

    private UnsupportedFormatException unusable(LinkageError cause) {
        return new UnsupportedFormatException("compression " + this + " needs " + library
                + " on the class path, with native code for this platform; add that dependency (" + cause + ")");
    }
}
