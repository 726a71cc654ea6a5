package io.fluxmark.windows;

import java.util.Objects;
import java.util.function.Consumer;

/** Where goes what can't take part in event time: undecodable, without a usable time, or too far in the future. */
public abstract class InvalidSink {

    /** The invalid output of one lane, at subscription. */
    public abstract Output open(LaneContext lane);

    /** Calls {@code consumer} in order, on the lane's thread; at least once where a job is replayed after a crash. */
    public static InvalidSink calling(Consumer<? super InvalidEvent> consumer) {
        Objects.requireNonNull(consumer, "consumer");
        return new InvalidSink() {
            @Override
            public Output open(LaneContext lane) {
                return (event, source) -> consumer.accept(event);
            }
        };
    }

    /** The invalid output of one lane; confined to it. */
    @FunctionalInterface
    public interface Output {

        /**
         * Takes what was rejected; what this throws ends the stream.
         *
         * @param source what the source had emitted, before it was decoded: of a log, the record
         */
        void accept(InvalidEvent event, Object source);

        /** A barrier passes: what was accepted since the last one belongs to {@code transaction}. */
        default void flush(StateTransaction transaction) {}
    }
}
