package io.fluxmark.aggregate.run;

import io.fluxmark.aggregate.DataException;
import io.fluxmark.aggregate.input.EventInput;
import io.fluxmark.aggregate.input.EventRecord;
import io.fluxmark.aggregate.input.Field;
import io.fluxmark.aggregate.input.MalformedRecordException;
import io.fluxmark.aggregate.input.RecordReader;
import io.fluxmark.aggregate.value.TimeUnitText;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/** Reads an input to its end and hands out its events, in the order of the file or of a field. */
public final class EventFeed implements AutoCloseable {

    /** Is given what there is in the input. */
    public interface Receiver {

        /** An event. */
        void event(Event event);

        /** A record that is no event. */
        void rejected(long line, String reason);

        /** A value that should be a number and is none; the event counts all the same. */
        void notANumber(long line, Field field, String text);

        /** The next event may have to be waited for. */
        void mayBlock();
    }

    private final InputSettings settings;
    private final EventInput input;
    private final TimeUnitText unit;

    /** Opens the input, and checks the fields against the columns that it has. */
    public EventFeed(InputSettings settings, InputStream standardInput) throws IOException {
        this.settings = settings;
        this.input = opened(settings, standardInput);
        boolean seconds = settings.unit() == null && input.declaresSeconds(settings.time());
        TimeUnitText chosen = settings.unit() == null ? TimeUnitText.MS : settings.unit();
        this.unit = seconds ? TimeUnitText.S : chosen;
    }

    private static EventInput opened(InputSettings settings, InputStream standardInput) throws IOException {
        EventInput input;
        try {
            input = EventInput.open(settings.file(), settings.format(), standardInput);
        } catch (ZipException | EOFException e) {
            throw damaged(e);
        }
        try {
            settings.fields()
                    .forEach(field -> field.requireAmong(input.records().columns()));
            return input;
        } catch (RuntimeException e) {
            input.close();
            throw e;
        }
    }

    /** How times are written. */
    public TimeUnitText unit() {
        return unit;
    }

    /** The input. */
    public EventInput input() {
        return input;
    }

    /** Hands out all events. */
    public void readInto(Receiver receiver) throws IOException {
        EventFactory factory = new EventFactory(settings, unit, receiver::notANumber);
        Field sortBy = settings.sortBy();
        if (sortBy == null) {
            for (EventRecord record = next(receiver); record != null; record = next(receiver)) {
                hand(record, factory, receiver);
                if (input.records().mayBlock()) {
                    receiver.mayBlock();
                }
            }
        } else {
            for (Sorted each : sorted(sortBy, receiver)) {
                hand(each.record, factory, receiver);
            }
        }
    }

    private static void hand(EventRecord record, EventFactory factory, Receiver receiver) {
        Event event;
        try {
            event = factory.event(record);
        } catch (MalformedRecordException e) {
            receiver.rejected(e.line(), e.reason());
            return;
        }
        receiver.event(event);
    }

    private record Sorted(BigDecimal place, EventRecord record) {}

    /** All records, in memory, in the order of a field; equal ones in that of the file. */
    private List<Sorted> sorted(Field sortBy, Receiver receiver) throws IOException {
        List<Sorted> all = new ArrayList<>();
        for (EventRecord record = next(receiver); record != null; record = next(receiver)) {
            String text = record.text(sortBy);
            try {
                if (text == null) {
                    throw new IllegalArgumentException("there is none; it has " + record.fieldNames());
                }
                all.add(new Sorted(TimeUnitText.sortKey(text), record));
            } catch (IllegalArgumentException e) {
                receiver.rejected(record.line(), "the field '" + sortBy + "' to sort by: " + e.getMessage());
            }
        }
        all.sort(Comparator.comparing(Sorted::place));
        return all;
    }

    private @Nullable EventRecord next(Receiver receiver) throws IOException {
        RecordReader records = input.records();
        for (; ; ) {
            try {
                return records.next();
            } catch (MalformedRecordException e) {
                receiver.rejected(e.line(), e.reason());
            } catch (ZipException | EOFException e) {
                throw damaged(e);
            }
        }
    }

    private static DataException damaged(IOException e) {
        return new DataException("the compressed input is damaged or cut off (" + e.getMessage()
                + "): what came before it has been used; fetch the file again, or unpack as much as there is");
    }

    @Override
    public void close() throws IOException {
        input.close();
    }
}
