package io.fluxmark.aggregate.run;

import io.fluxmark.aggregate.input.EventRecord;
import io.fluxmark.aggregate.input.Field;
import io.fluxmark.aggregate.input.MalformedRecordException;
import io.fluxmark.aggregate.value.Numbers;
import io.fluxmark.aggregate.value.Term;
import io.fluxmark.aggregate.value.TimeUnitText;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes events of records, or says what is wrong with them. */
final class EventFactory {

    /** The key where none was asked for. */
    static final String NO_KEY = "";

    /** Times beyond this distance of the epoch are none, ms. */
    private static final long MAX_MILLIS = 1L << 60;

    private final InputSettings settings;
    private final TimeUnitText unit;
    private final Misfits misfits;
    private final int[] sources;

    EventFactory(InputSettings settings, TimeUnitText unit, Misfits misfits) {
        this.settings = settings;
        this.unit = unit;
        this.misfits = misfits;
        this.sources = sources(settings.terms());
    }

    /** Is told of values that should be numbers and are not. */
    interface Misfits {

        void notANumber(long line, Field field, String text);
    }

    Event event(EventRecord record) throws MalformedRecordException {
        Object key = key(record, settings.keys(), "key field");
        Object id = settings.ids().isEmpty() ? null : key(record, settings.ids(), "id field");
        long arrival = settings.arrival() == null ? Long.MIN_VALUE : arrival(record, settings.arrival());
        int partition = settings.partitionBy() == null ? 0 : partition(record, settings.partitionBy());
        long timestamp = timestamp(record);
        return new Event(
                record.line(),
                key,
                partition,
                timestamp,
                arrival,
                numbers(record),
                settings.keepsOrigin() ? record : null,
                id);
    }

    private static Object key(EventRecord record, List<Field> fields, String what) throws MalformedRecordException {
        if (fields.isEmpty()) {
            return NO_KEY;
        }
        if (fields.size() == 1) {
            return keyPart(record, fields.get(0), what);
        }
        String[] parts = new String[fields.size()];
        for (int i = 0; i < parts.length; i++) {
            parts[i] = keyPart(record, fields.get(i), what);
        }
        return List.of(parts);
    }

    private static String keyPart(EventRecord record, Field field, String what) throws MalformedRecordException {
        String text = record.rawText(field);
        if (text == null) {
            throw missing(record, what, field);
        }
        return text;
    }

    private static MalformedRecordException missing(EventRecord record, String what, Field field) {
        return new MalformedRecordException(
                record.line(), "there is no " + what + " '" + field + "'; it has " + record.fieldNames());
    }

    private long timestamp(EventRecord record) throws MalformedRecordException {
        String text = record.text(settings.time());
        if (text == null) {
            throw missing(record, "time", settings.time());
        }
        try {
            return unit.millis(text);
        } catch (IllegalArgumentException e) {
            throw new MalformedRecordException(record.line(), "the time " + e.getMessage());
        }
    }

    private static long arrival(EventRecord record, Field field) throws MalformedRecordException {
        String text = record.text(field);
        if (text == null) {
            throw missing(record, "arrival", field);
        }
        try {
            long arrival = TimeUnitText.MS.millis(text);
            if (Math.abs(arrival) > MAX_MILLIS) {
                throw new IllegalArgumentException("'" + text + "' is no time: it is beyond " + MAX_MILLIS + " ms");
            }
            return arrival;
        } catch (IllegalArgumentException e) {
            throw new MalformedRecordException(record.line(), "the arrival " + e.getMessage());
        }
    }

    private int partition(EventRecord record, Field field) throws MalformedRecordException {
        String text = record.text(field);
        if (text == null) {
            throw missing(record, "partition", field);
        }
        Number number = Numbers.parse(text);
        if (!(number instanceof Long partition) || partition < 0 || partition >= settings.partitions()) {
            throw new MalformedRecordException(
                    record.line(),
                    "the partition '" + text + "' is none of 0 to " + (settings.partitions() - 1)
                            + ": check --partition-by, or raise --partitions");
        }
        return partition.intValue();
    }

    private List<@Nullable Number> numbers(EventRecord record) {
        @Nullable Number[] numbers = new @Nullable Number[sources.length];
        for (int i = 0; i < numbers.length; i++) {
            Field field = settings.terms().get(i).field();
            if (field != null) {
                numbers[i] = sources[i] < i ? numbers[sources[i]] : number(record, field);
            }
        }
        return Arrays.asList(numbers);
    }

    private @Nullable Number number(EventRecord record, Field field) {
        String text = record.text(field);
        if (text == null || text.isBlank()) {
            return null;
        }
        Number number = Numbers.parse(text);
        if (number == null) {
            misfits.notANumber(record.line(), field, text);
        }
        return number;
    }

    /** For each term the first one with the same field, so that a value is read once. */
    private static int[] sources(List<Term> terms) {
        List<String> fields =
                terms.stream().map(term -> String.valueOf(term.field())).toList();
        return fields.stream().mapToInt(fields::indexOf).toArray();
    }
}
