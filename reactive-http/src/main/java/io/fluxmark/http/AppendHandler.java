package io.fluxmark.http;

import io.fluxmark.log.AppendResult;
import io.fluxmark.log.EventLog;
import io.fluxmark.log.OutOfOrderSequenceException;
import io.fluxmark.log.RecordTooLargeException;
import io.fluxmark.log.Topic;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.util.List;
import java.util.Locale;
import reactor.core.publisher.Mono;

/** {@code POST /v1/streams/{s}/events}: one body is one append, stored as a whole or not at all. */
final class AppendHandler {

    private static final String LINES = "application/x-ndjson";
    private static final String ONE = "application/cloudevents+json";

    private final EventLog log;
    private final HttpLimits limits;
    private final BodyReader bodies;
    private final CloudEventParser parser;

    AppendHandler(EventLog log, HttpLimits limits, BodyReader bodies) {
        this.log = log;
        this.limits = limits;
        this.bodies = bodies;
        this.parser = new CloudEventParser(limits.maxLineBytes());
    }

    Mono<Reply> handle(Exchange exchange, String stream) {
        return Mono.defer(() -> {
            Topic topic = log.topic(stream);
            boolean lines = isLines(exchange);
            return bodies.read(
                            exchange,
                            body -> lines
                                    ? EventLines.ofLines(body, parser, limits)
                                    : EventLines.ofOne(body, parser, limits))
                    .flatMap(events -> append(topic, events))
                    .map(results -> Reply.json(json(results)));
        });
    }

    private static Mono<List<AppendResult>> append(Topic topic, EventLines events) {
        return topic.append(events.records()).onErrorMap(error -> refusal(error, events));
    }

    /** Says which line the log refused; what it refuses as an argument can only be the size of the whole, since keys place all. */
    private static Throwable refusal(Throwable error, EventLines events) {
        String message = String.valueOf(error.getMessage());
        if (error instanceof OutOfOrderSequenceException) {
            int line = events.lineOf((index, sequence) -> sequence != null
                    && message.startsWith(
                            "sequence " + sequence.sequence() + " of producer '" + sequence.producer() + "' "));
            return new ProblemException(new Problem(HttpResponseStatus.CONFLICT, message, line));
        }
        if (error instanceof RecordTooLargeException) {
            int line = events.lineOf((index, sequence) -> message.startsWith("record " + index + " of "));
            return new ProblemException(new Problem(HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE, message, line));
        }
        return error instanceof IllegalArgumentException
                ? new ProblemException(HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE, message)
                : error;
    }

    private static boolean isLines(Exchange exchange) {
        String encoding = exchange.header(HttpHeaderNames.CONTENT_ENCODING);
        if (encoding != null && !encoding.strip().equalsIgnoreCase("identity")) {
            throw unsupported("content encoding " + Attributes.quoted(encoding) + "; send the body as it is");
        }
        String contentType = exchange.header(HttpHeaderNames.CONTENT_TYPE);
        String[] parts = contentType == null ? new String[] {""} : contentType.split(";", -1);
        for (int i = 1; i < parts.length; i++) {
            String parameter = parts[i].strip().toLowerCase(Locale.ROOT);
            if (parameter.startsWith("charset=") && !parameter.replace("\"", "").equals("charset=utf-8")) {
                throw unsupported(Attributes.quoted(parameter) + "; send UTF-8");
            }
        }
        return switch (parts[0].strip().toLowerCase(Locale.ROOT)) {
            case LINES -> true;
            case ONE -> false;
            default ->
                throw unsupported((contentType == null
                                ? "a missing content type"
                                : "content type " + Attributes.quoted(contentType))
                        + "; send " + LINES + " (one CloudEvent a line) or " + ONE + " (one CloudEvent)");
        };
    }

    private static ProblemException unsupported(String what) {
        return new ProblemException(HttpResponseStatus.UNSUPPORTED_MEDIA_TYPE, "can't read " + what);
    }

    private static byte[] json(List<AppendResult> results) {
        return Json.write(json -> {
            json.writeStartObject();
            json.writeArrayFieldStart("results");
            for (AppendResult result : results) {
                json.writeStartObject();
                json.writeNumberField("partition", result.partition());
                json.writeStringField("offset", Long.toString(result.offset()));
                json.writeBooleanField("duplicate", result.duplicate());
                json.writeEndObject();
            }
            json.writeEndArray();
            json.writeEndObject();
        });
    }
}
