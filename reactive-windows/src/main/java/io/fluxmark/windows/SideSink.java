package io.fluxmark.windows;

import java.util.Objects;

/**
 * Where events go that are taken out of the stream.
 *
 * @param <T> the type of the events
 */
public abstract class SideSink<T> {

    /** The side output of one lane, at subscription. */
    public abstract Output<T> open(LaneContext lane);

    /** Calls {@code output} in order, on the lane's thread; at least once where a job is replayed after a crash. */
    public static <T> SideSink<T> calling(Output<? super T> output) {
        Objects.requireNonNull(output, "output");
        return new SideSink<>() {
            @Override
            public Output<T> open(LaneContext lane) {
                return output::accept;
            }
        };
    }

    /** The side output of one lane; confined to it. */
    @FunctionalInterface
    public interface Output<T> {

        /**
         * Takes an event; what this throws ends the stream.
         *
         * @param timestamp its time, epoch ms; {@link Long#MIN_VALUE} where it has none yet
         * @param sign 1, or -1 where it takes an earlier one back
         */
        void accept(T value, long timestamp, int sign);

        /** A barrier passes: what was accepted since the last one belongs to {@code transaction}. */
        default void flush(StateTransaction transaction) {}
    }
}
