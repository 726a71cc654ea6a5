package io.fluxmark.http;

import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;
import reactor.netty.http.server.HttpServerRequest;
import reactor.netty.http.server.HttpServerResponse;

/**
 * One request and its answer. Decides what becomes of a connection whose request body was not read: a short one is skipped and
 * the connection kept, otherwise the connection is closed without losing the answer ({@link LingeringClose}).
 *
 * <p>Confined to its connection's event loop until the body is read; used by one thread at a time after.
 */
final class Exchange {

    private static final long UNKNOWN = -1;

    private final HttpServerRequest request;
    private final HttpServerResponse response;
    private final HttpLimits limits;
    private boolean bodyRead;

    Exchange(HttpServerRequest request, HttpServerResponse response, HttpLimits limits) {
        this.request = request;
        this.response = response;
        this.limits = limits;
    }

    HttpServerRequest request() {
        return request;
    }

    HttpServerResponse response() {
        return response;
    }

    /** The body has been read to its end. */
    void bodyRead() {
        bodyRead = true;
    }

    @Nullable
    String header(CharSequence name) {
        return request.requestHeaders().get(name);
    }

    /** The declared length of the body, or -1. The decoder has refused lengths that are no numbers. */
    long contentLength() {
        String length = header(HttpHeaderNames.CONTENT_LENGTH);
        return length == null ? UNKNOWN : Long.parseLong(length.strip());
    }

    Publisher<Void> send(Reply reply) {
        HttpHeaders headers = response.status(reply.status()).responseHeaders();
        headers.set(HttpHeaderNames.CONTENT_TYPE, reply.contentType());
        headers.set(HttpHeaderNames.CONTENT_LENGTH, reply.body().length);
        Duration retryAfter = reply.retryAfter();
        if (retryAfter != null) {
            headers.set(HttpHeaderNames.RETRY_AFTER, seconds(retryAfter));
        }
        String allow = reply.allow();
        if (allow != null) {
            headers.set(HttpHeaderNames.ALLOW, allow);
        }
        if (reply.close() || !reusable()) {
            response.keepAlive(false);
        }
        // The client may have asked for the close itself, so every answer that leaves a part of the body unread is
        // marked.
        boolean unread = !bodyRead && hasBody();
        request.withConnection(connection -> LingeringClose.mark(connection.channel(), unread));
        return response.sendByteArray(Mono.just(reply.body()));
    }

    Publisher<Void> send(Problem problem) {
        return send(problem.reply());
    }

    private boolean hasBody() {
        return isChunked() || contentLength() > 0;
    }

    private boolean isChunked() {
        return header(HttpHeaderNames.TRANSFER_ENCODING) != null;
    }

    private boolean reusable() {
        // A client that waits for 100 may or may not send its body after another answer: the next bytes would be
        // ambiguous.
        return bodyRead
                || !hasBody()
                || (!isChunked() && contentLength() <= limits.maxBodyBytes() && header(HttpHeaderNames.EXPECT) == null);
    }

    private static long seconds(Duration duration) {
        long whole = duration.getSeconds();
        return Math.max(1, duration.getNano() > 0 ? whole + 1 : whole);
    }
}
