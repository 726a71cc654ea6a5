package io.fluxmark.aggregate.input;

import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Zeek's tab-separated logs, which say themselves how they are to be read: {@code #separator}, {@code #fields}, {@code
 * #types}, {@code #unset_field}. Later headers count for what follows them, as in logs put one behind the other.
 */
final class ZeekReader extends LineRecordReader {

    private char separator = '\t';
    private String unset = "-";
    private @Nullable Header header;
    private List<String> types = List.of();

    /** Reads up to the first record, so that the columns are known. */
    ZeekReader(LineReader lines) throws IOException {
        super(lines);
        for (Line line = nextLine(); line != null; line = nextLine()) {
            if (!line.text().startsWith("#")) {
                unread(List.of(line));
                break;
            }
            directive(line.text());
        }
    }

    @Override
    public @Nullable List<String> columns() {
        return header == null ? null : header.names();
    }

    /** Whether the log declares {@code column} as a time, which is in seconds. */
    boolean isTime(Field column) {
        int index = header == null ? -1 : header.indexOf(column.name());
        return index >= 0 && index < types.size() && types.get(index).equals("time");
    }

    @Override
    @Nullable
    EventRecord parse(Line line) throws MalformedRecordException {
        if (line.text().startsWith("#")) {
            directive(line.text());
            return null;
        }
        Header columns = header;
        if (columns == null) {
            throw new MalformedRecordException(line.number(), "no #fields line stands before it: is this a Zeek log?");
        }
        List<String> cells = Cells.split(line.text(), separator);
        if (cells.size() != columns.size()) {
            throw new MalformedRecordException(
                    line.number(), "it has " + cells.size() + " columns, and #fields names " + columns.size());
        }
        return new TableRecord(line.number(), columns, cells, unset);
    }

    private void directive(String line) {
        if (line.startsWith("#separator ")) {
            separator = unescape(line.substring("#separator ".length()).trim());
            return;
        }
        List<String> cells = Cells.split(line, separator);
        List<String> rest = cells.subList(1, cells.size());
        switch (cells.get(0)) {
            case "#fields" -> header = new Header(rest);
            case "#types" -> types = rest;
            case "#unset_field" -> unset = rest.isEmpty() ? unset : rest.get(0);
            default -> {} // says nothing about how to read
        }
    }

    private static char unescape(String text) {
        if (text.startsWith("\\x") && text.length() == 4) {
            return (char) Integer.parseInt(text.substring(2), 16);
        }
        return text.isEmpty() ? '\t' : text.charAt(0);
    }
}
