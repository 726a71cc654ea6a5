package io.fluxmark.log;

import java.nio.ByteBuffer;
import java.util.zip.CRC32;

/**
 * Recognises a message in Kafka's formats v0 and v1, so that it is refused by name and not taken for damage and cut.
 *
 * <pre>
 *  0  int64  offset
 *  8  int32  size      bytes after this field
 * 12  uint32 crc       CRC-32 of everything from magic on
 * 16  int8   magic     0 or 1
 * 17  attributes, timestamp (v1), key, value
 * </pre>
 */
final class OlderFormat {

    static final int HEADER_BYTES = 17;

    private static final int SIZE = 8;
    private static final int CRC = 12;
    private static final int MAGIC = 16;

    /** What size does not count. */
    private static final int SIZE_OVERHEAD = 12;

    private OlderFormat() {}

    /** The whole length of a message by its first bytes, or -1 if they begin none with that offset or a later one. */
    static int lengthOf(ByteBuffer header, long minOffset) {
        int magic = header.get(MAGIC);
        int size = header.getInt(SIZE);
        return (magic == 0 || magic == 1)
                        && header.getLong(0) >= minOffset
                        && size > HEADER_BYTES - SIZE_OVERHEAD
                        && size <= RecordLayout.MAX_BATCH_BYTES - SIZE_OVERHEAD
                ? size + SIZE_OVERHEAD
                : -1;
    }

    /** Whether the bytes from index 0 to the limit are a message whose checksum is right. */
    static boolean isIntact(ByteBuffer message) {
        CRC32 crc = new CRC32();
        crc.update(message.duplicate().position(MAGIC));
        return (int) crc.getValue() == message.getInt(CRC);
    }
}
