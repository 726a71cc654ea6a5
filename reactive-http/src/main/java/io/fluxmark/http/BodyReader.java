package io.fluxmark.http;

import io.netty.handler.codec.http.HttpResponseStatus;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.netty.channel.AbortedException;

/**
 * Collects request bodies, so many at once, each within its bytes and its time. A buffer grows with what has arrived, not with
 * what was announced. Thread-safe.
 */
final class BodyReader {

    private final HttpLimits limits;
    private final Scheduler timer;
    private final AtomicInteger assembling = new AtomicInteger();

    BodyReader(HttpLimits limits, Scheduler timer) {
        this.limits = limits;
        this.timer = timer;
    }

    /**
     * What {@code parse} makes of the whole body; it runs while the body still counts as held. Fails with the answer to give
     * if the body is refused, and with the connection's error if the client goes away in the middle.
     */
    <T> Mono<T> read(Exchange exchange, Function<BodyBuffer, T> parse) {
        return Mono.defer(() -> {
            long length = exchange.contentLength();
            if (length > limits.maxBodyBytes()) {
                throw new ProblemException(tooLarge("the body has " + length + " bytes"));
            }
            return Mono.using(this::enter, permit -> assemble(exchange, (int) length, parse), permit -> permit.leave());
        });
    }

    private <T> Mono<T> assemble(Exchange exchange, int length, Function<BodyBuffer, T> parse) {
        BodyBuffer body = new BodyBuffer(length, limits.maxBodyBytes());
        return exchange.request()
                .receive()
                // A reset is no failure of ours: like an orderly end it leaves nobody to answer.
                .onErrorMap(gone -> gone instanceof AbortedException ? gone : new AbortedException(gone))
                .doOnNext(chunk -> {
                    if (chunk.readableBytes() > limits.maxBodyBytes() - body.length()) {
                        throw new ProblemException(
                                tooLarge("the body is larger").closing());
                    }
                    body.append(chunk);
                    // A large body right behind another request: the server's pipeline queue swallows a read while it
                    // is
                    // full, and nobody would ask again.
                    exchange.request()
                            .withConnection(connection -> connection.channel().read());
                })
                .then()
                .timeout(limits.bodyTimeout(), timer)
                .onErrorMap(TimeoutException.class, late -> new ProblemException(timedOut(body)))
                .then(Mono.fromCallable(() -> {
                    exchange.bodyRead();
                    return parse.apply(body);
                }));
    }

    private Permit enter() {
        if (assembling.incrementAndGet() > limits.maxBodies()) {
            assembling.decrementAndGet();
            throw new ProblemException(Problem.busy(
                    "already " + limits.maxBodies() + " request bodies are arriving; nothing was stored, retry later",
                    limits.retryAfter()));
        }
        return new Permit(assembling);
    }

    private Problem tooLarge(String what) {
        return new Problem(
                HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE,
                what + ", more than the " + limits.maxBodyBytes()
                        + " allowed; nothing was stored, send smaller bodies");
    }

    private Problem timedOut(BodyBuffer body) {
        return new Problem(
                        HttpResponseStatus.REQUEST_TIMEOUT,
                        "the body did not arrive within " + limits.bodyTimeout() + " (" + body.length()
                                + " bytes did); nothing was stored, send smaller bodies")
                .closing();
    }

    /** The right to assemble one body. */
    private record Permit(AtomicInteger assembling) {
        void leave() {
            assembling.decrementAndGet();
        }
    }
}
