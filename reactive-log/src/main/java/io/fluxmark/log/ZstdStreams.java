package io.fluxmark.log;

import com.github.luben.zstd.ZstdInputStreamNoFinalizer;
import com.github.luben.zstd.ZstdOutputStreamNoFinalizer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;

/** The only class that names the Zstandard library, so that the log works without it. */
final class ZstdStreams {

    private ZstdStreams() {}

    static OutputStream compress(OutputStream to) throws IOException {
        return new ZstdOutputStreamNoFinalizer(to);
    }

    static InputStream decompress(InputStream from) throws IOException {
        return new ZstdInputStreamNoFinalizer(from);
    }
}
