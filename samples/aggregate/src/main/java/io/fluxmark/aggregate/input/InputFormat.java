package io.fluxmark.aggregate.input;

import com.fasterxml.jackson.core.JsonPointer;
import io.fluxmark.aggregate.UsageException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;

/**
 * How records lie in a file.
 *
 * @param kind the format
 * @param array where the array of a JSON document lies; the empty pointer elsewhere
 */
public record InputFormat(Kind kind, JsonPointer array) {

    /** The formats. */
    public enum Kind {
        /** One JSON object per line. */
        NDJSON,
        /** Comma-separated values with the names in the first line. */
        CSV,
        /** Tab-separated values with the names in the first line. */
        TSV,
        /** A log of Zeek. */
        ZEEK,
        /** An access log in the common or combined log format. */
        CLF,
        /** An array in a JSON document. */
        JSON
    }

    private static final String REMEDY = "use ndjson, csv, tsv, zeek, clf or json:POINTER, for example json:/features";

    /** The format that {@code text} names. */
    public static InputFormat parse(String text) {
        if (text.equals("json") || text.startsWith("json:")) {
            String pointer = text.equals("json") ? "" : text.substring("json:".length());
            try {
                return new InputFormat(Kind.JSON, JsonPointer.compile(pointer));
            } catch (IllegalArgumentException e) {
                throw new UsageException("'" + pointer + "' is no JSON pointer: " + REMEDY);
            }
        }
        for (Kind kind : Kind.values()) {
            if (kind.name().toLowerCase(Locale.ROOT).equals(text)) {
                return of(kind);
            }
        }
        throw new UsageException("'" + text + "' is no input format: " + REMEDY);
    }

    private static InputFormat of(Kind kind) {
        return new InputFormat(kind, JsonPointer.empty());
    }

    /** The format that a file's name or, where that does not tell, its first bytes suggest. */
    static InputFormat guess(String name, String beginning) {
        String plain = name.toLowerCase(Locale.ROOT);
        plain = plain.endsWith(".gz") ? plain.substring(0, plain.length() - 3) : plain;
        if (plain.endsWith(".ndjson") || plain.endsWith(".jsonl")) {
            return of(Kind.NDJSON);
        }
        if (plain.endsWith(".csv")) {
            return of(Kind.CSV);
        }
        if (plain.endsWith(".tsv")) {
            return of(Kind.TSV);
        }
        String line = beginning.stripLeading().lines().findFirst().orElse("");
        if (line.startsWith("#separator") || line.startsWith("#fields")) {
            return of(Kind.ZEEK);
        }
        if (line.startsWith("{") && line.stripTrailing().endsWith("}")) {
            return of(Kind.NDJSON);
        }
        if (line.startsWith("{") || line.startsWith("[")) {
            throw new UsageException(
                    "the input is a JSON document: say with --format json:POINTER where its array lies,"
                            + " for example json:/features, or --format ndjson for one object per line");
        }
        if (ClfReader.accepts(line)) {
            return of(Kind.CLF);
        }
        if (line.indexOf('\t') >= 0) {
            return of(Kind.TSV);
        }
        if (line.indexOf(',') >= 0 || line.isEmpty()) {
            return of(Kind.CSV);
        }
        throw new UsageException("the format of the input can't be guessed: say it with --format, " + REMEDY);
    }

    /** Opens a reader of records; it owns {@code in}. */
    RecordReader open(InputStream in) throws IOException {
        return switch (kind) {
            case NDJSON -> new JsonLinesReader(new LineReader(in));
            case CSV -> new DelimitedReader(new LineReader(in), ',');
            case TSV -> new DelimitedReader(new LineReader(in), '\t');
            case ZEEK -> new ZeekReader(new LineReader(in));
            case CLF -> new ClfReader(new LineReader(in));
            case JSON -> new JsonArrayReader(in, array);
        };
    }
}
