package io.fluxmark.log;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A record where it lies among others, for who makes something of it on the spot: {@link EventCodec#decodeView} costs no copy of its
 * key and value. Whoever keeps a view keeps the whole {@link RecordRun} that it is of. Immutable, as long as nobody writes to
 * {@link #array}.
 */
public final class RecordView {

    private final @Nullable RecordRun run;
    private final int index;
    private final @Nullable LogRecord record;
    private final byte[] array;
    private final int valueOffset;
    private final int valueLength;

    RecordView(RecordRun run, int index, byte[] array, int valueOffset, int valueLength) {
        this.run = run;
        this.index = index;
        this.record = null;
        this.array = array;
        this.valueOffset = valueOffset;
        this.valueLength = valueLength;
    }

    private RecordView(LogRecord record) {
        byte[] value = record.value();
        this.run = null;
        this.index = 0;
        this.record = record;
        this.array = value == null ? new byte[0] : value;
        this.valueOffset = 0;
        this.valueLength = value == null ? -1 : value.length;
    }

    /** A record that has bytes of its own. */
    public static RecordView of(LogRecord record) {
        return new RecordView(record);
    }

    /** {@link LogRecord#partition}. */
    public int partition() {
        return run == null ? record().partition() : run.partition();
    }

    /** {@link LogRecord#offset}. */
    public long offset() {
        return run == null ? record().offset() : run.offset(index);
    }

    /** {@link LogRecord#appendTime}. */
    public long appendTime() {
        return run == null ? record().appendTime() : run.appendTime(index);
    }

    /** Whether it has a payload; a tombstone has none. */
    public boolean hasValue() {
        return valueLength >= 0;
    }

    /** Where its bytes are, and those of others: only to be read, from {@link #valueOffset} on. */
    public byte[] array() {
        return array;
    }

    /** Where the payload begins in {@link #array}. */
    public int valueOffset() {
        return valueOffset;
    }

    /**
     * How many bytes the payload has.
     *
     * @throws IllegalArgumentException if it is a tombstone
     */
    public int valueLength() {
        if (valueLength < 0) {
            throw new IllegalArgumentException(place() + " is a tombstone: it has no value to decode");
        }
        return valueLength;
    }

    /** The record in bytes of its own. */
    public LogRecord record() {
        return run == null ? Objects.requireNonNull(record, "record") : run.get(index);
    }

    /** How messages call it. */
    String place() {
        return "the record at offset " + offset() + " of partition " + partition();
    }

    @Override
    public String toString() {
        return "RecordView[partition=" + partition() + ", offset=" + offset() + "]";
    }
}
