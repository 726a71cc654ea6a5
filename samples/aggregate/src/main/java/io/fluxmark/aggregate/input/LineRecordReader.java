package io.fluxmark.aggregate.input;

import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A format whose records are lines, or some lines each. */
abstract class LineRecordReader implements RecordReader {

    private static final String BYTE_ORDER_MARK = "\uFEFF";

    private final LineReader lines;

    /** Lines that were looked at and are to be read again. */
    private final Deque<Line> unread = new ArrayDeque<>();

    LineRecordReader(LineReader lines) {
        this.lines = lines;
    }

    /** A line of the input; {@code cut} where it was too long to be read whole. */
    record Line(String text, long number, boolean cut) {}

    /** The record that begins on {@code line}, or null where there is none, as on a comment. */
    abstract @Nullable EventRecord parse(Line line) throws IOException, MalformedRecordException;

    @Override
    public final @Nullable EventRecord next() throws IOException, MalformedRecordException {
        for (Line line = nextLine(); line != null; line = nextLine()) {
            if (line.cut()) {
                throw new MalformedRecordException(
                        line.number(), "the line is longer than " + LineReader.MAX_LINE + " bytes");
            }
            if (!line.text().isBlank()) {
                EventRecord parsed = parse(line);
                if (parsed != null) {
                    return parsed;
                }
            }
        }
        return null;
    }

    /** The next line, without a byte order mark; null at the end. */
    final @Nullable Line nextLine() throws IOException {
        Line again = unread.poll();
        if (again != null) {
            return again;
        }
        String text = lines.next();
        if (text == null) {
            return null;
        }
        boolean first = lines.number() == 1 && text.startsWith(BYTE_ORDER_MARK);
        return new Line(first ? text.substring(1) : text, lines.number(), lines.wasCut());
    }

    /** Has {@code again} read once more, in their order. */
    final void unread(List<Line> again) {
        for (int i = again.size() - 1; i >= 0; i--) {
            unread.addFirst(again.get(i));
        }
    }

    @Override
    public boolean mayBlock() {
        try {
            return unread.isEmpty() && lines.mayBlock();
        } catch (IOException e) {
            return true; // the next read will say what is wrong
        }
    }

    @Override
    public final void close() throws IOException {
        lines.close();
    }
}
