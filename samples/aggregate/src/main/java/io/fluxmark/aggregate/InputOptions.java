package io.fluxmark.aggregate;

import io.fluxmark.aggregate.input.Field;
import io.fluxmark.aggregate.input.InputFormat;
import io.fluxmark.aggregate.value.TimeUnitText;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that say where events come from and what their fields mean; both commands have them. */
final class InputOptions {

    @Option(
            names = "--input",
            paramLabel = "FILE|-",
            defaultValue = "-",
            description = "Events, plain or gzip; - is standard input (default).")
    private String input = "-";

    @Option(
            names = "--format",
            paramLabel = "FORMAT",
            description = "ndjson, csv, tsv, zeek, clf, or json:POINTER for an array in a JSON document"
                    + " (default: by the file's name or first line).")
    private @Nullable String format;

    @Option(
            names = "--time",
            paramLabel = "FIELD",
            required = true,
            description = "The event time. A FIELD is a column, a top-level member, or a JSON pointer as /a/b.")
    @SuppressWarnings("NullAway.Init") // required option
    private String time;

    @Option(
            names = "--time-unit",
            paramLabel = "ms|s|us|iso",
            description = "How that is written (default: ms; s where a Zeek log declares a time). Access-log times are"
                    + " always understood. What is finer than 1 ms is cut off.")
    private @Nullable String timeUnit;

    @Option(
            names = "--arrival",
            paramLabel = "FIELD",
            description = "When the event came in, epoch ms. Moves the clock, so that time-outs, early results and the"
                    + " far-future guard do not depend on when the command runs.")
    private @Nullable String arrival;

    @Option(
            names = "--sort-by",
            paramLabel = "FIELD",
            description =
                    "Hand events in by this number or ISO time, equal ones as in the file. Reads all into memory.")
    private @Nullable String sortBy;

    @Option(
            names = "--key",
            paramLabel = "FIELD[,FIELD]",
            description = "The key, of one or several fields (default: one key for all events).")
    private @Nullable String key;

    String input() {
        return input;
    }

    @Nullable
    InputFormat format() {
        return format == null ? null : InputFormat.parse(format);
    }

    Field time() {
        return Field.of(time);
    }

    @Nullable
    TimeUnitText timeUnit() {
        return timeUnit == null ? null : TimeUnitText.parse(timeUnit);
    }

    @Nullable
    Field arrival() {
        return field(arrival);
    }

    @Nullable
    Field sortBy() {
        return field(sortBy);
    }

    List<Field> keys() {
        return fields(key);
    }

    /** Fields separated by commas; none of null. */
    static List<Field> fields(@Nullable String text) {
        List<Field> fields = new ArrayList<>();
        if (text != null) {
            for (String part : text.split(",", -1)) {
                fields.add(Field.of(part.strip()));
            }
        }
        return fields;
    }

    static @Nullable Field field(@Nullable String text) {
        return text == null ? null : Field.of(text);
    }
}
