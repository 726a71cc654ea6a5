package io.fluxmark.windows;

import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * What becomes of an event on which a user's function fails: of {@code map}, {@code filter}, {@code peek},
 * {@code mapMany}, {@code mapAsync}, a key, the gap of a session, and
 * {@link KeyedProcess}, there also of a timer.
 * Immutable; set by {@link EventFlux#onFailure}. An {@link Error} ends the stream whatever the policy.
 */
public final class FailurePolicy {

    private static final FailurePolicy FAIL = new FailurePolicy("fail", null);
    private static final FailurePolicy SKIP = new FailurePolicy("skip", FailureSink.calling(failure -> {}));

    private final String name;
    private final @Nullable FailureSink failures;

    private FailurePolicy(String name, @Nullable FailureSink failures) {
        this.name = name;
        this.failures = failures;
    }

    /** The stream ends with what the function has thrown, which names the event; so it is unless said otherwise. */
    public static FailurePolicy fail() {
        return FAIL;
    }

    /** The event is left out and counted, as {@link Counter#FAILED}. */
    public static FailurePolicy skip() {
        return SKIP;
    }

    /** The event is left out, counted, and handed to {@code sink}: with one of the job's store, in the same commit. */
    public static FailurePolicy deadLetterTo(FailureSink sink) {
        return new FailurePolicy("dead letter", Objects.requireNonNull(sink, "sink"));
    }

    /** The same, calling {@code consumer} in order on the lane's thread; at least once where a job is replayed. */
    public static FailurePolicy deadLetterTo(Consumer<? super FunctionFailure> consumer) {
        return deadLetterTo(FailureSink.calling(consumer));
    }

    /** Where events go; null where a failure ends the stream. */
    @Nullable
    FailureSink failures() {
        return failures;
    }

    @Override
    public String toString() {
        return name;
    }
}
