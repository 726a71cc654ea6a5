package io.fluxmark.aggregate.input;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.dataformat.csv.CsvMapper;
import com.fasterxml.jackson.dataformat.csv.CsvParser;
import com.fasterxml.jackson.dataformat.csv.CsvSchema;
import io.fluxmark.aggregate.DataException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * Comma- or tab-separated values, whose first record names the columns. A quoted value may hold separators, doubled
 * quotes and line ends; a quote that is never closed costs the line it stands on, and not the rest of the file.
 */
final class DelimitedReader extends LineRecordReader {

    /** How many lines a record may have before its quote counts as one that is never closed. */
    static final int MAX_LINES = 1_000;

    private final char separator;
    private final ObjectReader quoted;
    private final @Nullable Header header;

    /** Reads the names of the columns. */
    DelimitedReader(LineReader lines, char separator) throws IOException {
        super(lines);
        this.separator = separator;
        this.quoted = new CsvMapper()
                .enable(CsvParser.Feature.WRAP_AS_ARRAY)
                .readerFor(String[].class)
                .with(CsvSchema.emptySchema().withColumnSeparator(separator));
        this.header = readHeader();
    }

    private @Nullable Header readHeader() throws IOException {
        for (Line line = nextLine(); line != null; line = nextLine()) {
            if (!line.text().isBlank()) {
                try {
                    return new Header(Cells.trimmed(cells(line)));
                } catch (MalformedRecordException e) {
                    throw new DataException(
                            "line " + e.line() + ", which names the columns, can't be read: " + e.reason());
                }
            }
        }
        return null;
    }

    @Override
    public @Nullable List<String> columns() {
        return header == null ? null : header.names();
    }

    @Override
    @Nullable
    EventRecord parse(Line line) throws IOException, MalformedRecordException {
        Header columns = Objects.requireNonNull(header, "a record follows the header");
        List<String> cells = cells(line);
        if (cells.size() != columns.size()) {
            throw new MalformedRecordException(
                    line.number(), "it has " + cells.size() + " columns, and the first line names " + columns.size());
        }
        return new TableRecord(line.number(), columns, cells, null);
    }

    private List<String> cells(Line line) throws IOException, MalformedRecordException {
        if (line.text().indexOf('"') < 0) {
            return Cells.split(line.text(), separator);
        }
        return parseQuoted(whole(line), line.number());
    }

    private List<String> parseQuoted(String record, long number) throws IOException, MalformedRecordException {
        try (var values = quoted.<String[]>readValues(record)) {
            return Arrays.asList(values.hasNextValue() ? values.nextValue() : new String[] {""});
        } catch (JsonProcessingException e) {
            throw new MalformedRecordException(number, "a quoted value is damaged: " + e.getOriginalMessage());
        }
    }

    /** The record that begins on {@code first}, with the further lines that its quoted values reach over. */
    private String whole(Line first) throws IOException, MalformedRecordException {
        boolean open = leavesQuoteOpen(first.text(), false);
        if (!open) {
            return first.text();
        }
        StringJoiner record = new StringJoiner("\n").add(first.text());
        List<Line> further = new ArrayList<>();
        int length = first.text().length();
        while (open && further.size() < MAX_LINES && length < LineReader.MAX_LINE) {
            Line line = nextLine();
            if (line == null) {
                break;
            }
            further.add(line);
            record.add(line.text());
            length += line.text().length();
            open = leavesQuoteOpen(line.text(), true);
        }
        if (open) {
            unread(further);
            throw new MalformedRecordException(first.number(), "a quote is opened and never closed");
        }
        return record.toString();
    }

    /** Whether a quoted value reaches beyond {@code line}; a quote opens a value only where one begins. */
    private boolean leavesQuoteOpen(String line, boolean openBefore) {
        boolean open = openBefore;
        boolean atStart = !openBefore;
        boolean closedBefore = false;
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            boolean opens = c == '"' && !open && (atStart || closedBefore); // a value, or the second of a doubled quote
            closedBefore = open && c == '"';
            open = opens || (open && !closedBefore);
            atStart = !open && c == separator;
        }
        return open;
    }
}
