package io.fluxmark.log;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.Arrays;

/** Compresses the records of a batch and takes them out again, both in bounded memory. Pure functions. */
final class BatchCompression {

    /** Records compress about four times; a batch that does better makes its buffer grow. */
    private static final int USUAL_RATIO = 4;

    private static final int MIN_BUFFER_BYTES = 1 << 10;

    private BatchCompression() {}

    /**
     * Compresses what lies between {@code from} and the buffer's position, in place, if that makes it smaller; then the
     * position is moved back to the new end.
     *
     * @return whether it did
     */
    static boolean compress(Compression compression, ByteBuffer target, int from) throws IOException {
        int length = target.position() - from;
        if (compression == Compression.NONE || length == 0) {
            return false;
        }
        byte[] plain = new byte[length];
        target.get(from, plain);
        byte[] compressed = new byte[length - 1];
        BoundedOutput output = new BoundedOutput(compressed);
        try (OutputStream stream = compression.compress(output)) {
            stream.write(plain);
        }
        if (output.isExceeded()) {
            return false;
        }
        target.position(from).put(compressed, 0, output.size());
        return true;
    }

    /**
     * The uncompressed form of what remains in a heap buffer.
     *
     * @param limit how many bytes it may have, less than 1 GiB; at most twice as many are held meanwhile
     * @throws MalformedBatchException if it is larger or can't be decompressed
     * @throws UnsupportedFormatException if the library is missing
     */
    static ByteBuffer decompress(Compression compression, ByteBuffer compressed, int limit) {
        InputStream source = new ByteArrayInputStream(
                compressed.array(), compressed.arrayOffset() + compressed.position(), compressed.remaining());
        try (InputStream stream = compression.decompress(source)) {
            return readAll(stream, USUAL_RATIO * (long) compressed.remaining(), limit);
        } catch (MalformedBatchException | UnsupportedFormatException e) {
            throw e;
        } catch (IOException | RuntimeException e) {
            // The libraries answer bad input with exceptions of many types.
            MalformedBatchException malformed =
                    new MalformedBatchException(compression + " can't be decompressed: " + e);
            malformed.initCause(e);
            throw malformed;
        }
    }

    private static ByteBuffer readAll(InputStream stream, long expected, int limit) throws IOException {
        // One byte above the limit tells that there is more.
        int capacity = limit + 1;
        byte[] bytes = new byte[(int) Math.min(capacity, Math.max(MIN_BUFFER_BYTES, expected))];
        int size = 0;
        for (; ; ) {
            if (size == capacity) {
                throw new MalformedBatchException("records take more than " + limit + " bytes uncompressed");
            }
            if (size == bytes.length) {
                bytes = Arrays.copyOf(bytes, (int) Math.min(capacity, 2L * size));
            }
            int read = stream.read(bytes, size, bytes.length - size);
            if (read < 0) {
                return ByteBuffer.wrap(bytes, 0, size);
            }
            size += read;
        }
    }
}
