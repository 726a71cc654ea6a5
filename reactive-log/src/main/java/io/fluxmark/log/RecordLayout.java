package io.fluxmark.log;

/**
 * The layout of a log on disk, format version 1.
 *
 * <pre>
 * directory/LOCK                                  held while the log is open
 * directory/recovery-points                       begin and forced end of each partition, true at any time
 * directory/clean-shutdown                        end of each partition; there only while the log is closed
 * directory/T.topic                               of topic T: format, partitions, retention, compaction; see {@link TopicMetadata}
 * directory/T.deleted                             instead of it while the files of a deleted topic go
 * directory/T-P/00000000000000000000.log          a segment of its partition P, named by the offset of its first record
 * directory/T-P/00000000000000000000.index, .timeindex   its indexes, see {@link SegmentIndex}
 * directory/T-P/00000000000000000000.snapshot     the producers at that offset, see {@link ProducerSnapshots}
 * directory/T-P/00000000000000000000-00000000000000000100.swap   a compacted segment about to take the place of those
 *                                                 between the two offsets, see {@link SegmentSwap}
 * directory/T-P/compaction-point                  how far the partition is compacted, see {@link CompactionPoint}
 * </pre>
 *
 * <p>A segment is a sequence of batches without gaps, in Apache Kafka's message format v2, big-endian:
 *
 * <pre>
 *  0  int64  baseOffset            offset of the first record
 *  8  int32  batchLength           bytes after this field
 * 12  int32  partitionLeaderEpoch  here: bytes of the segment before this batch that were not yet forced when it was written
 * 16  int8   magic                 2; Kafka's older formats have 0 and 1 in the same place
 * 17  uint32 crc                   CRC-32C of everything from attributes on
 * 21  int16  attributes            see below
 * 23  int32  lastOffsetDelta       offset of the last record - baseOffset
 * 27  int64  baseTimestamp         epoch ms
 * 35  int64  maxTimestamp          epoch ms, of append times the time of every record
 * 43  int64  producerId            -1: none
 * 51  int16  producerEpoch         -1: none
 * 53  int32  baseSequence          -1: none
 * 57  int32  recordCount
 * 61  records, compressed together if the attributes say so
 *
 * attributes:  bits 15..7 unused, 0
 *              bit  6     baseTimestamp is when compaction may remove the batch's tombstones; timestamps are relative to it
 *                         all the same
 *              bit  5     control: markers of Kafka's transactions, which take offsets and are read by nobody
 *              bit  4     transactional
 *              bit  3     timestamps are append times (0: creation times)
 *              bits 2..0  compression of the records: 0 none, 1 gzip, 2 snappy (not read), 3 lz4 frame, 4 zstd
 *
 * record:  varint length (bytes after it), int8 attributes 0, varlong timestampDelta, varint offsetDelta,
 *          varint key length (-1: none), key, varint value length (-1: none), value, varint header count, headers
 * header:  varint name length, name in UTF-8, varint value length (-1: none), value
 * </pre>
 *
 * <p>Varints are zigzag-encoded. Of the batches written here, timestamps are append times, the producer fields are -1, and
 * records that compression would not make smaller are left uncompressed. A producer sequence is kept as the last two headers of its record, {@value Header#PRODUCER}
 * (UTF-8) and {@value Header#SEQUENCE} (int64), so the log alone is enough to recognise repeats.
 *
 * <p><b>Compaction</b> removes records, not offsets: every batch that is left reaches to where the next one begins, and a batch
 * without records stands where nothing else does. So a batch that is missing is found missing in a compacted segment too.
 *
 * <p><b>Recovery.</b> A segment that has a successor was forced before the successor was created. In the last segment, what
 * cannot be read is a torn tail, and is cut, unless it lies below the recovery point or a later batch proves that it had been
 * forced: the unforced distance at offset 12 of that batch does not reach back to it. Then, as in a sealed segment, it is damage and is reported. The end of
 * the data is marked by nothing: zeros have batchLength 0, which no batch has, and a checksum of 0 is as good as any.
 *
 * <p>All small files are written to a .tmp file that is then renamed; index files may be missing or wrong, and are made again.
 */
final class RecordLayout {

    static final int BASE_OFFSET = 0;
    static final int BATCH_LENGTH = 8;
    static final int UNFORCED_DISTANCE = 12;
    static final int MAGIC = 16;
    static final int CRC = 17;
    static final int ATTRIBUTES = 21;
    static final int LAST_OFFSET_DELTA = 23;
    static final int BASE_TIMESTAMP = 27;
    static final int MAX_TIMESTAMP = 35;
    static final int PRODUCER_ID = 43;
    static final int PRODUCER_EPOCH = 51;
    static final int BASE_SEQUENCE = 53;
    static final int RECORD_COUNT = 57;
    static final int HEADER_BYTES = 61;

    /** What batchLength does not count. */
    static final int LENGTH_OVERHEAD = 12;

    static final byte MAGIC_V2 = 2;
    static final short COMPRESSION_MASK = 0x07;
    static final short APPEND_TIME_FLAG = 0x08;
    static final short TRANSACTIONAL_FLAG = 0x10;
    static final short CONTROL_FLAG = 0x20;
    static final short DELETE_HORIZON_FLAG = 0x40;

    /**
     * No batch of ours is larger, compressed or not: a length above this is garbage and is not allocated for, and records that
     * take more when decompressed are refused.
     */
    static final int MAX_BATCH_BYTES = 32 << 20;

    /** Batches are closed at this size at the latest. */
    static final int BATCH_BYTES_LIMIT = 1 << 20;

    static final int BATCH_RECORDS_LIMIT = 4096;

    static final String SEGMENT_SUFFIX = ".log";

    private RecordLayout() {}

    static String segmentName(long baseOffset) {
        return String.format("%020d%s", baseOffset, SEGMENT_SUFFIX);
    }

    /** The base offset a segment's name says, or -1 if it is no segment's name. */
    static long baseOffsetOf(String name) {
        if (name.length() != 20 + SEGMENT_SUFFIX.length() || !name.endsWith(SEGMENT_SUFFIX)) {
            return -1;
        }
        long offset = 0;
        for (int i = 0; i < 20; i++) {
            int digit = name.charAt(i) - '0';
            if (digit < 0 || digit > 9 || offset > (Long.MAX_VALUE - digit) / 10) {
                return -1;
            }
            offset = offset * 10 + digit;
        }
        return offset;
    }
}
