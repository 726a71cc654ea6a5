package io.fluxmark.aggregate.input;

import java.util.List;

/**
 * Access logs in the common or the combined log format:
 *
 * <pre>host ident user [time] "request" status bytes "referrer" "agent"</pre>
 *
 * A quote or backslash inside a quoted value is escaped by a backslash; a value that is not known is a dash. Writers cut
 * long agents off: the line is good all the same.
 */
final class ClfReader extends LineRecordReader {

    private static final List<String> NAMES =
            List.of("host", "time", "request", "status", "bytes", "referrer", "agent");

    private static final Header HEADER = new Header(NAMES);
    private static final String UNSET = "-";

    ClfReader(LineReader lines) {
        super(lines);
    }

    @Override
    public List<String> columns() {
        return NAMES;
    }

    @Override
    EventRecord parse(Line line) throws MalformedRecordException {
        Scan scan = new Scan(line);
        String host = scan.word();
        scan.word();
        scan.word();
        String time = scan.enclosed('[', ']');
        String request = scan.enclosed('"', '"');
        String status = scan.word();
        String bytes = scan.word();
        String referrer = scan.atEnd() ? UNSET : scan.lastQuoted();
        String agent = scan.atEnd() ? UNSET : scan.lastQuoted();
        return new TableRecord(
                line.number(), HEADER, List.of(host, time, request, status, bytes, referrer, agent), UNSET);
    }

    /** Whether {@code line} looks like a line of such a log. */
    static boolean accepts(String line) {
        try {
            Scan scan = new Scan(new Line(line, 1, false));
            scan.word();
            scan.word();
            scan.word();
            scan.enclosed('[', ']');
            return true;
        } catch (MalformedRecordException e) {
            return false;
        }
    }

    private static final class Scan {

        private final Line line;
        private final String text;
        private int at;

        Scan(Line line) {
            this.line = line;
            this.text = line.text();
        }

        boolean atEnd() {
            skipBlanks();
            return at == text.length();
        }

        private void skipBlanks() {
            while (at < text.length() && text.charAt(at) == ' ') {
                at++;
            }
        }

        String word() throws MalformedRecordException {
            skipBlanks();
            int from = at;
            while (at < text.length() && text.charAt(at) != ' ') {
                at++;
            }
            if (from == at) {
                throw malformed("something is missing at its end");
            }
            return text.substring(from, at);
        }

        String enclosed(char open, char close) throws MalformedRecordException {
            String value = opened(open, close);
            if (at == text.length()) {
                throw malformed("a " + close + " is missing");
            }
            at++;
            return value;
        }

        String lastQuoted() throws MalformedRecordException {
            String value = opened('"', '"');
            at = Math.min(at + 1, text.length());
            return value;
        }

        /** What stands between {@code open}, which has to be next, and {@code close}, which comes next after it. */
        private String opened(char open, char close) throws MalformedRecordException {
            skipBlanks();
            if (at == text.length() || text.charAt(at) != open) {
                throw malformed("a " + open + " is expected at column " + (at + 1));
            }
            StringBuilder value = new StringBuilder();
            for (at++; at < text.length() && text.charAt(at) != close; at++) {
                char c = text.charAt(at);
                if (c == '\\'
                        && at + 1 < text.length()
                        && (text.charAt(at + 1) == close || text.charAt(at + 1) == '\\')) {
                    c = text.charAt(++at);
                }
                value.append(c);
            }
            return value.toString();
        }

        private MalformedRecordException malformed(String what) {
            return new MalformedRecordException(line.number(), "no line of an access log: " + what);
        }
    }
}
