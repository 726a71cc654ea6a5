package io.fluxmark.log;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The parts of a record that have a length in front of them: key, value and headers. What is not there is malformed. */
final class RecordParts {

    private final ByteInput bytes;

    RecordParts(ByteInput bytes) {
        this.bytes = bytes;
    }

    /**
     * The length of the part that follows, or -1 for none.
     *
     * @param offset of the record, for messages
     */
    int length(long offset) {
        int length = bytes.getVarint();
        if (length < -1 || length > bytes.remaining()) {
            throw new MalformedBatchException("a part of the record at offset " + offset + " has " + length
                    + " bytes where " + bytes.remaining() + " are left");
        }
        return length;
    }

    /** The part that follows, or null for none. */
    byte @Nullable [] bytesOrNull(long offset) {
        int length = length(offset);
        return length < 0 ? null : bytes.get(length);
    }

    /** Goes behind the part that follows. */
    void pass(long offset) {
        int length = length(offset);
        bytes.position(bytes.position() + Math.max(length, 0));
    }

    /** All headers, the last part of a record. */
    List<Header> headers(long offset) {
        int count = headerCount(offset);
        if (count == 0) {
            return List.of();
        }
        List<Header> headers = new ArrayList<>(Math.min(count, 16));
        for (int i = 0; i < count; i++) {
            byte[] name = bytes.get(headerNameLength(offset));
            headers.add(new Header(new String(name, StandardCharsets.UTF_8), bytesOrNull(offset)));
        }
        return headers;
    }

    /** Goes behind the headers. */
    void passHeaders(long offset) {
        for (int count = headerCount(offset); count > 0; count--) {
            int length = headerNameLength(offset);
            bytes.position(bytes.position() + length);
            pass(offset);
        }
    }

    private int headerCount(long offset) {
        int count = bytes.getVarint();
        if (count < 0) {
            throw new MalformedBatchException("the record at offset " + offset + " has " + count + " headers");
        }
        return count;
    }

    private int headerNameLength(long offset) {
        int length = length(offset);
        if (length < 0) {
            throw new MalformedBatchException("a header of the record at offset " + offset + " has no name");
        }
        return length;
    }
}
