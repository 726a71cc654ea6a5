package io.fluxmark.state;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A commit found no room on the disk. The store is open again as of the commit before. Retryable, with success once there
 * is room again.
 */
public final class DiskFullException extends StoreReopenedException {

    private static final long serialVersionUID = 1L;

    /** ENOSPC and EDQUOT as Linux and macOS word them, ERROR_DISK_FULL as Windows does; the JDK has no type for them. */
    private static final List<String> WORDS =
            List.of("no space left on device", "disk quota exceeded", "not enough space on the disk");

    DiskFullException(String message, Throwable cause) {
        super(message, cause);
    }

    /** Whether a failure is, at its root, that of a full disk. */
    static boolean isCauseOf(Throwable failure) {
        for (@Nullable Throwable cause = failure; cause != null; cause = cause.getCause()) {
            String message = cause.getMessage();
            if (cause instanceof IOException
                    && message != null
                    && WORDS.stream().anyMatch(message.toLowerCase(Locale.ROOT)::contains)) {
                return true;
            }
        }
        return false;
    }
}
