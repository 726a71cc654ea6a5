package io.fluxmark.windows;

import java.util.Objects;

/** The late outputs of both sides of a join as one. */
final class JoinLate<L, R> extends LateSink<JoinEvent<L, R>> {

    private final LateSink<? super L> left;
    private final LateSink<? super R> right;

    JoinLate(LateSink<? super L> left, LateSink<? super R> right) {
        this.left = Objects.requireNonNull(left, "left");
        this.right = Objects.requireNonNull(right, "right");
    }

    @Override
    public Output<JoinEvent<L, R>> open(LaneContext lane) {
        LateSink.Output<? super L> ofLeft = left.open(lane);
        LateSink.Output<? super R> ofRight = right.open(lane);
        return new Output<>() {
            @Override
            public void accept(LateEvent<JoinEvent<L, R>> event) {
                L leftEvent = event.value().left();
                if (leftEvent != null) {
                    ofLeft.accept(with(event, leftEvent));
                } else {
                    ofRight.accept(
                            with(event, Objects.requireNonNull(event.value().right(), "right")));
                }
            }

            @Override
            public void flush(StateTransaction transaction) {
                ofLeft.flush(transaction);
                ofRight.flush(transaction);
            }
        };
    }

    private static <V> LateEvent<V> with(LateEvent<?> event, V value) {
        return new LateEvent<>(value, event.timestamp(), event.watermark(), event.windows());
    }
}
