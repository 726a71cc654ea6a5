package io.fluxmark.http;

import io.netty.handler.codec.http.HttpResponseStatus;

/** A request that gets an RFC 9457 problem for an answer. */
final class ProblemException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    private final transient Problem problem;

    ProblemException(Problem problem) {
        super(problem.detail(), null, false, false);
        this.problem = problem;
    }

    ProblemException(HttpResponseStatus status, String detail) {
        this(new Problem(status, detail));
    }

    Problem problem() {
        return problem;
    }
}
