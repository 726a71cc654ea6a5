package io.fluxmark.http;

import io.netty.handler.codec.http.HttpResponseStatus;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * A whole answer.
 *
 * @param retryAfter for the header of that name, or null
 * @param allow for the header of that name, or null
 * @param close whether the connection is closed after it
 */
@SuppressWarnings("ArrayRecordComponent") // a carrier, never compared
record Reply(
        HttpResponseStatus status,
        String contentType,
        byte[] body,
        @Nullable Duration retryAfter,
        @Nullable String allow,
        boolean close) {

    static Reply json(byte[] body) {
        return new Reply(HttpResponseStatus.OK, "application/json", body, null, null, false);
    }

    static Reply text(String body) {
        return text(body, "text/plain; charset=utf-8");
    }

    static Reply text(String body, String contentType) {
        return new Reply(HttpResponseStatus.OK, contentType, body.getBytes(StandardCharsets.UTF_8), null, null, false);
    }

    Reply allowing(String methods) {
        return new Reply(status, contentType, body, retryAfter, methods, close);
    }
}
