package io.fluxmark.http;

import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.QueryStringDecoder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Mono;
import reactor.netty.channel.AbortedException;
import reactor.netty.http.server.HttpServerRequest;
import reactor.netty.http.server.HttpServerResponse;

/** Finds the handler for a request and turns every failure into an answer. Thread-safe. */
final class EdgeRouter implements BiFunction<HttpServerRequest, HttpServerResponse, Publisher<Void>> {

    private static final int MAX_PARAMETERS = 16;
    private static final String PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8";

    private final HttpLimits limits;
    private final AppendHandler appends;
    private final StreamHandler streams;
    private final QueryHandler queries;
    private final HealthHandler health;
    private final @Nullable Supplier<String> metrics;

    EdgeRouter(
            HttpLimits limits,
            AppendHandler appends,
            StreamHandler streams,
            QueryHandler queries,
            HealthHandler health,
            @Nullable Supplier<String> metrics) {
        this.limits = limits;
        this.appends = appends;
        this.streams = streams;
        this.queries = queries;
        this.health = health;
        this.metrics = metrics;
    }

    @Override
    public Publisher<Void> apply(HttpServerRequest request, HttpServerResponse response) {
        Exchange exchange = new Exchange(request, response, limits);
        try {
            return route(exchange);
        } catch (RuntimeException e) {
            return exchange.send(Problem.of(e, limits));
        }
    }

    private Publisher<Void> route(Exchange exchange) {
        QueryStringDecoder uri = decoded(exchange.request().uri());
        String[] path = uri.path().split("/", -1);
        if ((path.length == 2 || path.length == 3) && path[1].equals("health")) {
            Mono<Reply> answer = health(path.length == 2 ? "ready" : path[2]);
            if (answer != null) {
                return on(HttpMethod.GET, exchange, () -> reply(exchange, answer));
            }
        }
        Supplier<String> scrape = metrics;
        if (scrape != null && path.length == 2 && path[1].equals("metrics")) {
            return on(
                    HttpMethod.GET,
                    exchange,
                    () -> reply(exchange, Mono.fromCallable(() -> Reply.text(scrape.get(), PROMETHEUS))));
        }
        if (path.length >= 4 && path[1].equals("v1") && !path[3].isEmpty()) {
            String name = path[3];
            if (path[2].equals("streams") && path.length == 4) {
                List<String> producer = uri.parameters().getOrDefault("producer", List.of());
                return on(
                        HttpMethod.GET,
                        exchange,
                        () -> reply(
                                exchange,
                                Mono.fromCallable(
                                        () -> streams.handle(name, producer.isEmpty() ? null : producer.get(0)))));
            }
            if (path[2].equals("streams") && path.length == 5 && path[4].equals("events")) {
                return on(HttpMethod.POST, exchange, () -> reply(exchange, appends.handle(exchange, name)));
            }
            if (path[2].equals("jobs") && path.length == 4) {
                return on(HttpMethod.GET, exchange, () -> reply(exchange, health.describe(name)));
            }
            if (path[2].equals("queries") && path.length == 5 && path[4].equals("results")) {
                return on(HttpMethod.GET, exchange, () -> queries.handle(exchange, name));
            }
        }
        throw new ProblemException(
                HttpResponseStatus.NOT_FOUND,
                "nothing at " + Attributes.quoted(uri.path())
                        + "; there are POST /v1/streams/{s}/events, GET /v1/streams/{s}, GET /v1/queries/{q}/results,"
                        + " GET /v1/jobs/{j}, GET /health, /health/live and /health/ready, and GET /metrics where it"
                        + " is set up");
    }

    private @Nullable Mono<Reply> health(String which) {
        return switch (which) {
            case "ready" -> health.health();
            case "live" -> Mono.just(HealthHandler.live());
            default -> null;
        };
    }

    private static QueryStringDecoder decoded(String uri) {
        try {
            QueryStringDecoder decoder = QueryStringDecoder.builder()
                    .charset(StandardCharsets.UTF_8)
                    .maxParams(MAX_PARAMETERS)
                    .build(uri);
            decoder.path();
            decoder.parameters();
            return decoder;
        } catch (IllegalArgumentException e) {
            throw new ProblemException(
                    HttpResponseStatus.BAD_REQUEST,
                    "the address is not valid percent-encoded UTF-8: " + e.getMessage());
        }
    }

    private static Publisher<Void> on(HttpMethod method, Exchange exchange, Supplier<Publisher<Void>> action) {
        HttpMethod actual = exchange.request().method();
        if (actual.equals(method)) {
            return action.get();
        }
        Problem problem = new Problem(
                HttpResponseStatus.METHOD_NOT_ALLOWED,
                "method " + Attributes.quoted(actual.name()) + " is not supported here; use " + method);
        return exchange.send(problem.reply().allowing(method.name()));
    }

    private Publisher<Void> reply(Exchange exchange, Mono<Reply> reply) {
        return reply.onErrorResume(
                        // Nobody is left to be told.
                        error -> !(error instanceof AbortedException),
                        error -> Mono.just(Problem.of(error, limits).reply()))
                .flatMap(answer -> Mono.from(exchange.send(answer)));
    }
}
