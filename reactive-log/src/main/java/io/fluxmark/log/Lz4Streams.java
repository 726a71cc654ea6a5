package io.fluxmark.log;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import net.jpountz.lz4.LZ4FrameInputStream;
import net.jpountz.lz4.LZ4FrameOutputStream;
import net.jpountz.lz4.LZ4FrameOutputStream.BLOCKSIZE;

/** The only class that names the LZ4 library, so that the log works without it. */
final class Lz4Streams {

    private Lz4Streams() {}

    /** One frame of independent blocks of 64 KiB, as Kafka's producer writes it. */
    static OutputStream compress(OutputStream to) throws IOException {
        return new LZ4FrameOutputStream(to, BLOCKSIZE.SIZE_64KB);
    }

    /** Reads one frame, as Kafka does: many empty ones cannot keep a reader busy. */
    static InputStream decompress(InputStream from) throws IOException {
        return new LZ4FrameInputStream(from, true);
    }
}
