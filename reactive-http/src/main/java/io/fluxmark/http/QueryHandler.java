package io.fluxmark.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;

/**
 * {@code GET /v1/queries/{q}/results}: the rows as NDJSON. Rows are requested as the socket takes them, 128 ahead at most. If they
 * fail before the first, the answer is a problem; later the connection is cut, so that the client can't take a part for the
 * whole.
 */
final class QueryHandler {

    private final Map<String, Supplier<? extends Publisher<?>>> queries;
    private final HttpLimits limits;
    private final ObjectWriter writer = new ObjectMapper().writer().without(SerializationFeature.INDENT_OUTPUT);

    QueryHandler(Map<String, Supplier<? extends Publisher<?>>> queries, HttpLimits limits) {
        this.queries = queries;
        this.limits = limits;
    }

    Publisher<Void> handle(Exchange exchange, String name) {
        Supplier<? extends Publisher<?>> query = queries.get(name);
        if (query == null) {
            return exchange.send(new Problem(
                    HttpResponseStatus.NOT_FOUND,
                    "unknown query " + Attributes.quoted(name) + "; known are " + queries.keySet()));
        }
        return Flux.defer(() ->
                        Objects.requireNonNull(query.get(), () -> "query '" + name + "' supplied null for its rows"))
                .map(this::line)
                .switchOnFirst((first, lines) -> {
                    Throwable error = first.getThrowable();
                    return error == null ? send(exchange, name, lines) : exchange.send(Problem.of(error, limits));
                });
    }

    private static Publisher<Void> send(Exchange exchange, String name, Flux<byte[]> lines) {
        exchange.response().header(HttpHeaderNames.CONTENT_TYPE, "application/x-ndjson");
        return exchange.response()
                .sendByteArray(lines.onErrorMap(
                        error -> new IllegalStateException("query '" + name + "' failed after its first row", error)));
    }

    private byte[] line(Object row) {
        try {
            byte[] json = writer.writeValueAsBytes(row);
            byte[] line = Arrays.copyOf(json, json.length + 1);
            line[json.length] = '\n';
            return line;
        } catch (JsonProcessingException e) {
            throw new IllegalStateException(
                    "a row of type " + row.getClass().getName()
                            + " can't be written as JSON; map rows to records or maps",
                    e);
        }
    }
}
