package io.fluxmark.windows;

import java.util.function.Consumer;

/**
 * Where events go that are past the allowed lateness.
 *
 * @param <T> the type of the events
 */
public abstract class LateSink<T> {

    /** The late output of one lane, at subscription. */
    public abstract Output<T> open(LaneContext lane);

    /** Calls {@code consumer} in order, on the lane's thread; at least once where a job is replayed after a crash. */
    public static <T> LateSink<T> calling(Consumer<? super LateEvent<T>> consumer) {
        return new LateSink<>() {
            @Override
            public Output<T> open(LaneContext lane) {
                return consumer::accept;
            }
        };
    }

    /** Ends the stream at a late event, with an {@link IllegalStateException} that names it: for streams that may have none. */
    public static <T> LateSink<T> failing() {
        return new LateSink<>() {
            @Override
            public Output<T> open(LaneContext lane) {
                return event -> {
                    throw new IllegalStateException("the event " + event.value() + " at " + event.timestamp()
                            + " ms is late: the watermark is " + event.watermark()
                            + "; give the watermark a longer delay, or late events a place to go (lateTo)");
                };
            }
        };
    }

    /** The late output of one lane; confined to it. */
    @FunctionalInterface
    public interface Output<T> {

        /** Takes a late event. */
        void accept(LateEvent<T> event);

        /** A barrier passes: what was accepted since the last one belongs to {@code transaction}. */
        default void flush(StateTransaction transaction) {}
    }
}
