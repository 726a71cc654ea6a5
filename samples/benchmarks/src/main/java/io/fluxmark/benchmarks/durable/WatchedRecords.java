package io.fluxmark.benchmarks.durable;

import io.fluxmark.benchmarks.Event;
import io.fluxmark.log.AppendRecord;
import io.fluxmark.log.EventCodec;
import io.fluxmark.log.LogRecord;
import io.fluxmark.log.RecordView;
import java.util.function.LongConsumer;

/** Tells the offset of each record that it has decoded. */
final class WatchedRecords implements EventCodec<Event> {

    private final EventCodec<Event> records;
    private final LongConsumer offsets;

    WatchedRecords(EventCodec<Event> records, LongConsumer offsets) {
        this.records = records;
        this.offsets = offsets;
    }

    @Override
    public Event decode(LogRecord record) {
        Event event = records.decode(record);
        offsets.accept(record.offset());
        return event;
    }

    @Override
    public Event decodeView(RecordView view) {
        Event event = records.decodeView(view);
        offsets.accept(view.offset());
        return event;
    }

    @Override
    public AppendRecord encode(Event event) {
        return records.encode(event);
    }
}
