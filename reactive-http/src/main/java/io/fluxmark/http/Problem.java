package io.fluxmark.http;

import io.fluxmark.log.LogClosedException;
import io.fluxmark.log.LogOverloadedException;
import io.fluxmark.log.PartitionFailedException;
import io.fluxmark.log.UnknownTopicException;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import reactor.util.Logger;
import reactor.util.Loggers;

/**
 * An RFC 9457 problem.
 *
 * @param line the line of the body at fault, from 1; 0 if there is none
 * @param retryAfter how long the client should wait, or null if waiting does not help
 * @param close whether the connection can't be used any more
 */
record Problem(HttpResponseStatus status, String detail, int line, @Nullable Duration retryAfter, boolean close) {

    private static final Logger LOGGER = Loggers.getLogger(Problem.class);

    Problem(HttpResponseStatus status, String detail) {
        this(status, detail, 0, null, false);
    }

    Problem(HttpResponseStatus status, String detail, int line) {
        this(status, detail, line, null, false);
    }

    /** The same, ending the connection. */
    Problem closing() {
        return new Problem(status, detail, line, retryAfter, true);
    }

    static Problem busy(String detail, Duration retryAfter) {
        return new Problem(HttpResponseStatus.SERVICE_UNAVAILABLE, detail, 0, retryAfter, false);
    }

    /** What the client is told about a failure. The unforeseen is logged here and told without its inside. */
    static Problem of(Throwable error, HttpLimits limits) {
        if (error instanceof ProblemException known) {
            return known.problem();
        }
        String message = String.valueOf(error.getMessage());
        if (error instanceof UnknownTopicException) {
            return new Problem(HttpResponseStatus.NOT_FOUND, message);
        }
        if (error instanceof LogOverloadedException full) {
            return busy(message, full.retryAfter());
        }
        if (error instanceof LogClosedException) {
            return busy("the log is closed; retry when the service is back", limits.retryAfter());
        }
        LOGGER.error("request failed", error);
        if (error instanceof PartitionFailedException) {
            return new Problem(
                    HttpResponseStatus.INTERNAL_SERVER_ERROR,
                    "writing to the log failed; the events may or may not be stored, repeat them with producerid and sequence");
        }
        return new Problem(HttpResponseStatus.INTERNAL_SERVER_ERROR, "unexpected failure; the service's log says more");
    }

    Reply reply() {
        byte[] body = Json.write(json -> {
            json.writeStartObject();
            json.writeStringField("title", status.reasonPhrase());
            json.writeNumberField("status", status.code());
            json.writeStringField("detail", detail);
            if (line > 0) {
                json.writeNumberField("line", line);
            }
            json.writeEndObject();
        });
        return new Reply(status, "application/problem+json", body, retryAfter, null, close);
    }
}
