package io.fluxmark.http;

import io.fluxmark.log.AppendRecord;
import io.fluxmark.log.ProducerSequence;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The events of a body with the lines they stand on. Blank lines are skipped but counted. The first bad line refuses all.
 */
final class EventLines {

    private final List<AppendRecord> records = new ArrayList<>();
    private int[] lines = new int[64];

    private EventLines() {}

    /** The events of a body that has one on each line. */
    static EventLines ofLines(BodyBuffer body, CloudEventParser parser, HttpLimits limits) {
        EventLines events = new EventLines();
        byte[] bytes = body.array();
        int length = body.length();
        int line = 0;
        for (int start = 0; start < length; ) {
            int end = start;
            while (end < length && bytes[end] != '\n') {
                end++;
            }
            events.add(bytes, start, end, ++line, parser, limits);
            start = end + 1;
        }
        return events;
    }

    /** The one event of a body, which may span lines. */
    static EventLines ofOne(BodyBuffer body, CloudEventParser parser, HttpLimits limits) {
        EventLines events = new EventLines();
        events.add(body.array(), 0, body.length(), 1, parser, limits);
        if (events.records.isEmpty()) {
            throw new ProblemException(
                    HttpResponseStatus.BAD_REQUEST, "the body is empty; send one structured CloudEvent");
        }
        return events;
    }

    List<AppendRecord> records() {
        return records;
    }

    /** The line of the record at that index, from 1. */
    int line(int index) {
        return lines[index];
    }

    /** The line of the first record that matches by its index and sequence, or 0. */
    int lineOf(BiPredicate<Integer, @Nullable ProducerSequence> matches) {
        for (int i = 0; i < records.size(); i++) {
            if (matches.test(i, records.get(i).sequence())) {
                return lines[i];
            }
        }
        return 0;
    }

    private void add(byte[] bytes, int start, int end, int line, CloudEventParser parser, HttpLimits limits) {
        if (end - start > limits.maxLineBytes()) {
            throw refused(
                    HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE,
                    "line " + line + " has " + (end - start) + " bytes, more than the " + limits.maxLineBytes()
                            + " allowed; store large payloads elsewhere and send a reference",
                    line);
        }
        int from = start;
        int to = end;
        while (from < to && isSpace(bytes[from])) {
            from++;
        }
        while (from < to && isSpace(bytes[to - 1])) {
            to--;
        }
        if (from == to) {
            return;
        }
        int index = records.size();
        if (index == limits.maxEvents()) {
            throw refused(
                    HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE,
                    "line " + line + " is one event more than the " + limits.maxEvents()
                            + " allowed; send smaller bodies",
                    line);
        }
        if (index == lines.length) {
            lines = Arrays.copyOf(lines, 2 * index);
        }
        lines[index] = line;
        try {
            checkUtf8(bytes, from, to);
            records.add(parser.parse(bytes, from, to));
        } catch (CloudEventException e) {
            throw refused(HttpResponseStatus.BAD_REQUEST, "line " + line + ": " + e.getMessage(), line);
        }
    }

    private static ProblemException refused(HttpResponseStatus status, String detail, int line) {
        return new ProblemException(new Problem(status, detail + "; nothing of the body was stored", line));
    }

    /** The JSON parser lets overlong forms and encoded surrogates pass, so text outside ASCII is checked before. */
    private static void checkUtf8(byte[] bytes, int from, int to) {
        int high = 0;
        for (int i = from; i < to; i++) {
            high |= bytes[i];
        }
        if (high >= 0) {
            return;
        }
        try {
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes, from, to - from));
        } catch (CharacterCodingException e) {
            throw new CloudEventException("not valid UTF-8; encode the event as UTF-8");
        }
    }

    private static boolean isSpace(byte b) {
        return b == ' ' || b == '\t' || b == '\r' || b == '\n';
    }
}
