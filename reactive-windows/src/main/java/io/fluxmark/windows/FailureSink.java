package io.fluxmark.windows;

import java.util.Objects;
import java.util.function.Consumer;

/** Where events go that a function has failed on; see {@link FailurePolicy#deadLetterTo(FailureSink)}. */
public abstract class FailureSink {

    /** For subclasses. */
    protected FailureSink() {}

    /** The output of one operator of one lane, at its subscription. */
    public abstract Output open(LaneContext lane);

    /** Calls {@code consumer} in order, on the lane's thread; at least once where a job is replayed after a crash. */
    static FailureSink calling(Consumer<? super FunctionFailure> consumer) {
        Objects.requireNonNull(consumer, "consumer");
        return new FailureSink() {
            @Override
            public Output open(LaneContext lane) {
                return consumer::accept;
            }
        };
    }

    /** The output of one operator of one lane; confined to it. What it throws ends the stream. */
    @FunctionalInterface
    public interface Output {

        /** Takes a failure. */
        void accept(FunctionFailure failure);

        /** A barrier passes: what was accepted since the last one belongs to {@code transaction}. */
        default void flush(StateTransaction transaction) {}
    }
}
