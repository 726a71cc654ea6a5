package io.fluxmark.cli.log;

import io.fluxmark.cli.console.Texts;

/** A line of the input that can't be appended; the message has its number and the reason. */
final class BadInputException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    BadInputException(long line, String reason) {
        this("line " + line + ": " + reason);
    }

    private BadInputException(String message) {
        super(message);
    }

    /** The same, saying how many records have been appended. */
    BadInputException after(long appended) {
        return new BadInputException(getMessage() + " (appended before it: " + Texts.count(appended, "record") + ")");
    }
}
