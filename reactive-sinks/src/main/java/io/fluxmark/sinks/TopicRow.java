package io.fluxmark.sinks;

import io.fluxmark.log.AppendRecord;

/**
 * A record that waits to be appended, as bytes. Its producer and sequence follow from where the row stands.
 *
 * <pre>
 * byte   version (1)
 * int    partition
 * bytes  key, value
 * int    number of headers; string name and bytes value of each
 * </pre>
 */
final class TopicRow {

    private static final byte VERSION = 1;

    private TopicRow() {}

    /** @param partition the final one, whether the record names it or not */
    static byte[] encode(AppendRecord record, int partition) {
        return new RowFields.Writer(VERSION)
                .add(partition)
                .add(record.key())
                .add(record.value())
                .add(record.headers())
                .toBytes();
    }

    static AppendRecord decode(byte[] row) {
        RowFields.Reader in = new RowFields.Reader("a record for a topic", VERSION, row);
        int partition = in.readInt();
        byte[] key = in.readBytes();
        byte[] value = in.readBytes();
        return AppendRecord.to(partition, key, value).withHeaders(in.readHeaders());
    }
}
