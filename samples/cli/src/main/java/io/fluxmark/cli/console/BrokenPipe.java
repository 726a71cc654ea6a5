package io.fluxmark.cli.console;

import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Results that nobody reads any more. Stateless. */
public final class BrokenPipe {

    private BrokenPipe() {}

    /** Whether a failure says, itself or in a cause, that the reader of the results has seen enough and has gone. */
    public static boolean isCauseOf(@Nullable Throwable failure) {
        return failure != null
                && ((failure.getMessage() != null
                                && failure.getMessage().toLowerCase(Locale.ROOT).contains("broken pipe"))
                        || isCauseOf(failure.getCause()));
    }
}
