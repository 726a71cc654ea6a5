package io.fluxmark.http;

/** One event breaks a rule of CloudEvents or of JSON. The message says which and what to do; it goes to the client. */
final class CloudEventException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    CloudEventException(String message) {
        // A client's mistake needs no stack trace, and floods of them must stay cheap.
        super(message, null, false, false);
    }
}
