package io.fluxmark.sinks;

import io.fluxmark.log.Header;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Rows of fields that may be absent. A row begins with its version; bytes and text are an int, their length or -1 for none,
 * and as many bytes; numbers are big-endian.
 */
final class RowFields {

    private static final int NONE = -1;

    private RowFields() {}

    /** Puts a row together. Not thread-safe. */
    static final class Writer {

        private final ByteArrayOutputStream bytes = new ByteArrayOutputStream(64);
        private final DataOutputStream out = new DataOutputStream(bytes);

        Writer(byte version) {
            bytes.write(version);
        }

        Writer add(int value) {
            return add(o -> o.writeInt(value));
        }

        Writer add(long value) {
            return add(o -> o.writeLong(value));
        }

        Writer add(byte @Nullable [] value) {
            return add(o -> {
                o.writeInt(value == null ? NONE : value.length);
                if (value != null) {
                    o.write(value);
                }
            });
        }

        Writer add(@Nullable String value) {
            return add(value == null ? null : value.getBytes(StandardCharsets.UTF_8));
        }

        /** Their number as an int, then the name and value of each. */
        Writer add(List<Header> headers) {
            add(headers.size());
            headers.forEach(header -> add(header.name()).add(header.value()));
            return this;
        }

        byte[] toBytes() {
            return bytes.toByteArray();
        }

        private Writer add(Field field) {
            try {
                field.writeTo(out);
            } catch (IOException e) {
                throw new UncheckedIOException("memory does not fail", e);
            }
            return this;
        }

        private interface Field {
            void writeTo(DataOutputStream out) throws IOException;
        }
    }

    /** Takes a row apart, in the order it was put together. Not thread-safe. */
    static final class Reader {

        private final String what;
        private final ByteBuffer row;

        /** @param what what the row is, for messages */
        Reader(String what, byte version, byte[] row) {
            this.what = what;
            this.row = ByteBuffer.wrap(row);
            if (row.length == 0 || this.row.get() != version) {
                throw new IllegalStateException("a row of " + row.length + " bytes is not " + what + " of version "
                        + version + ", which this version reads");
            }
        }

        int readInt() {
            need(Integer.BYTES);
            return row.getInt();
        }

        long readLong() {
            need(Long.BYTES);
            return row.getLong();
        }

        byte @Nullable [] readBytes() {
            int length = readInt();
            if (length == NONE) {
                return null;
            }
            need(length);
            byte[] value = new byte[length];
            row.get(value);
            return value;
        }

        @Nullable
        String readString() {
            byte[] value = readBytes();
            return value == null ? null : new String(value, StandardCharsets.UTF_8);
        }

        @SuppressWarnings("NullAway") // class files do not say which parameters of a record may be null
        List<Header> readHeaders() {
            int count = readInt();
            List<Header> headers = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                headers.add(new Header(readText(), readBytes()));
            }
            return headers;
        }

        /** A text that has to be there. */
        String readText() {
            return new String(Objects.requireNonNull(readBytes(), what), StandardCharsets.UTF_8);
        }

        /** How many bytes are still to be read. */
        int remaining() {
            return row.remaining();
        }

        private void need(int count) {
            if (count < 0 || row.remaining() < count) {
                throw new IllegalStateException(
                        "a row of " + row.capacity() + " bytes is cut or is not " + what,
                        new BufferUnderflowException());
            }
        }
    }
}
