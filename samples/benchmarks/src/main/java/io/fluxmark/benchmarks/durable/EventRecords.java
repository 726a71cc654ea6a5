package io.fluxmark.benchmarks.durable;

import io.fluxmark.benchmarks.Event;
import io.fluxmark.log.AppendRecord;
import io.fluxmark.log.EventCodec;
import io.fluxmark.log.LogRecord;
import io.fluxmark.log.RecordView;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Events as 24 bytes: key, value and timestamp. The record's key is the event's, so that it finds its partition. */
public final class EventRecords implements EventCodec<Event> {

    static final int BYTES = 3 * Long.BYTES;

    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    /** For a topic of such events. */
    public EventRecords() {}

    @Override
    public Event decode(LogRecord record) {
        return decodeView(RecordView.of(record));
    }

    @Override
    public Event decodeView(RecordView view) {
        if (view.valueLength() != BYTES) {
            throw new IllegalArgumentException("an event has " + BYTES + " bytes, this record " + view.valueLength());
        }
        byte[] bytes = view.array();
        int at = view.valueOffset();
        return new Event((long) LONGS.get(bytes, at), (long) LONGS.get(bytes, at + Long.BYTES), (long)
                LONGS.get(bytes, at + 2 * Long.BYTES));
    }

    @Override
    public AppendRecord encode(Event event) {
        byte[] value = new byte[BYTES];
        LONGS.set(value, 0, event.key());
        LONGS.set(value, Long.BYTES, event.value());
        LONGS.set(value, 2 * Long.BYTES, event.timestamp());
        return AppendRecord.of(key(event.key()), value);
    }

    /** A key as it stands in the records. */
    public static byte[] key(Object key) {
        byte[] bytes = new byte[Long.BYTES];
        LONGS.set(bytes, 0, (long) key);
        return bytes;
    }
}
