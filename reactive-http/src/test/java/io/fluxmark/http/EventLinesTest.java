package io.fluxmark.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class EventLinesTest {

    private static final HttpLimits LIMITS =
            HttpLimits.defaults().withMaxLineBytes(200).withMaxEvents(3);

    @Test
    void blankLinesAreSkippedButCounted() {
        EventLines events = lines("\n  \t\r\n" + event("a") + "\r\n\n" + event("b"));

        assertThat(events.records()).hasSize(2);
        assertThat(events.line(0)).isEqualTo(3);
        assertThat(events.line(1)).isEqualTo(5);
    }

    @Test
    void theLastNewlineIsOptionalAndAnEmptyBodyHasNoEvents() {
        assertThat(lines(event("a")).records()).hasSize(1);
        assertThat(lines(event("a") + "\n").records()).hasSize(1);
        assertThat(lines("").records()).isEmpty();
        assertThat(lines("\n\n").records()).isEmpty();
    }

    @Test
    void theFirstBadLineIsNamed() {
        Problem problem = refusal(event("a") + "\n\n{\"id\":\n" + event("b"));

        assertThat(problem.status().code()).isEqualTo(400);
        assertThat(problem.line()).isEqualTo(3);
        assertThat(problem.detail()).startsWith("line 3: malformed JSON").contains("nothing of the body was stored");
    }

    @Test
    void aLineTooLongIsNamedWithTheLimit() {
        assertThat(lines(event("x".repeat(200 - event("").length()))).records()).hasSize(1);

        Problem problem =
                refusal(event("a") + "\n" + event("x".repeat(201 - event("").length())));

        assertThat(problem.status().code()).isEqualTo(413);
        assertThat(problem.line()).isEqualTo(2);
        assertThat(problem.detail()).contains("201 bytes").contains("200 allowed");
    }

    @Test
    void tooManyEventsAreRefused() {
        String three = event("a") + "\n" + event("b") + "\n" + event("c") + "\n";
        assertThat(lines(three + "\n").records()).hasSize(3);

        Problem problem = refusal(three + event("d"));

        assertThat(problem.status().code()).isEqualTo(413);
        assertThat(problem.line()).isEqualTo(4);
    }

    @Test
    void textOutsideUtf8IsRefused() {
        for (String hex : new String[] {"C3", "C0A0", "EDA080", "FF", "F4908080", "80"}) {
            byte[] bytes = event("??????").getBytes(StandardCharsets.ISO_8859_1);
            int at = event("").indexOf("\"}");
            for (int i = 0; i < hex.length(); i += 2) {
                bytes[at + i / 2] = (byte) Integer.parseInt(hex.substring(i, i + 2), 16);
            }
            ProblemException refused = catchThrowableOfType(ProblemException.class, () -> lines(bytes));
            assertThat(refused).as(hex).isNotNull();
            assertThat(refused.problem().detail()).as(hex).contains("not valid UTF-8");
        }
    }

    @Test
    void aSingleEventMaySpanLines() {
        BodyBuffer body = body(event("a").replace(",", ",\n").getBytes(StandardCharsets.UTF_8));

        EventLines events = EventLines.ofOne(body, new CloudEventParser(200), LIMITS);

        assertThat(events.records()).hasSize(1);
        assertThat(events.line(0)).isEqualTo(1);
    }

    @Test
    void aSingleEventIsNotOptional() {
        ProblemException refused = catchThrowableOfType(
                ProblemException.class,
                () -> EventLines.ofOne(body(new byte[] {'\n'}), new CloudEventParser(200), LIMITS));

        assertThat(refused.problem().status().code()).isEqualTo(400);
    }

    private static Problem refusal(String text) {
        ProblemException refused = catchThrowableOfType(ProblemException.class, () -> lines(text));
        assertThat(refused).isNotNull();
        return refused.problem();
    }

    private static EventLines lines(String text) {
        return lines(text.getBytes(StandardCharsets.UTF_8));
    }

    private static EventLines lines(byte[] bytes) {
        return EventLines.ofLines(body(bytes), new CloudEventParser(LIMITS.maxLineBytes()), LIMITS);
    }

    private static BodyBuffer body(byte[] bytes) {
        BodyBuffer body = new BodyBuffer(-1, 1 << 20);
        int half = bytes.length / 2;
        body.append(Unpooled.wrappedBuffer(bytes, 0, half));
        body.append(Unpooled.wrappedBuffer(bytes, half, bytes.length - half));
        return body;
    }

    private static String event(String id) {
        return "{\"specversion\":\"1.0\",\"source\":\"s\",\"type\":\"t\",\"partitionkey\":\"k\",\"id\":\"" + id + "\"}";
    }
}
