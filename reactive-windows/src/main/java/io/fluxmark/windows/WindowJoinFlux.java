package io.fluxmark.windows;

import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A window join, before it is said what becomes of pairs, and of events without a partner. Immutable.
 *
 * <p>A result is all that is joined of one key and window, in one list: so that it has a name of its own, and is taken back and
 * replaced as a whole where the window has an allowed lateness or early results. Its order follows from the order in which the
 * events came. A window that is empty behind the join has no result. Lateness, firing and what is kept are those of the windows.
 *
 * <p>A window holds all events of its key: the list has as many elements as there are pairs, the product of both sides.
 *
 * @param <K> the key
 * @param <L> the events of the left stream
 * @param <R> the events of the right stream
 */
public final class WindowJoinFlux<K, L, R> {

    private final JoinedFlux<K, L, R> joined;
    private final WindowSpec windows;
    private final @Nullable Codec<L> leftCodec;
    private final @Nullable Codec<R> rightCodec;
    private final @Nullable JoinLate<L, R> late;
    private final Consumer<? super LiveCounters> counters;
    private final Consumer<? super LiveExplanation> explanations;

    private WindowJoinFlux(
            JoinedFlux<K, L, R> joined,
            WindowSpec windows,
            @Nullable Codec<L> leftCodec,
            @Nullable Codec<R> rightCodec,
            @Nullable JoinLate<L, R> late,
            Consumer<? super LiveCounters> counters,
            Consumer<? super LiveExplanation> explanations) {
        this.joined = joined;
        this.windows = windows;
        this.leftCodec = leftCodec;
        this.rightCodec = rightCodec;
        this.late = late;
        this.counters = counters;
        this.explanations = explanations;
    }

    static <K, L, R> WindowJoinFlux<K, L, R> of(JoinedFlux<K, L, R> joined, WindowSpec windows) {
        if (!windows.hasFixedWindows() && windows.kind() != WindowSpec.Kind.SESSION) {
            throw new IllegalArgumentException(
                    windows + " windows have no ends in event time that two streams could share:"
                            + " join in tumbling, sliding, calendar or session windows, or within an interval");
        }
        return new WindowJoinFlux<>(joined, windows, null, null, null, live -> {}, live -> {});
    }

    /** How the events of open windows are kept: a job needs it, on the heap it is not used. */
    public WindowJoinFlux<K, L, R> storing(Codec<L> left, Codec<R> right) {
        return new WindowJoinFlux<>(
                joined,
                windows,
                Objects.requireNonNull(left, "left"),
                Objects.requireNonNull(right, "right"),
                late,
                counters,
                explanations);
    }

    /** Where events of each stream go that are past the allowed lateness; without it they are dropped, and counted. */
    public WindowJoinFlux<K, L, R> lateTo(LateSink<? super L> left, LateSink<? super R> right) {
        return new WindowJoinFlux<>(
                joined, windows, leftCodec, rightCodec, new JoinLate<>(left, right), counters, explanations);
    }

    /** Hands out the live counters of each lane at its subscription. */
    public WindowJoinFlux<K, L, R> countersTo(Consumer<? super LiveCounters> consumer) {
        return new WindowJoinFlux<>(
                joined,
                windows,
                leftCodec,
                rightCodec,
                late,
                Objects.requireNonNull(consumer, "consumer"),
                explanations);
    }

    /** Hands out, for each lane at its subscription, what tells at any time why its windows have not fired. */
    public WindowJoinFlux<K, L, R> explainTo(Consumer<? super LiveExplanation> consumer) {
        return new WindowJoinFlux<>(
                joined, windows, leftCodec, rightCodec, late, counters, Objects.requireNonNull(consumer, "consumer"));
    }

    /** Emits, of each key and window, what {@code joiner} makes of its pairs; null is an error. */
    public <O> EventFlux<WindowResult<K, List<O>>> inner(BiFunction<? super L, ? super R, ? extends O> joiner) {
        return join(JoinKind.INNER, joiner);
    }

    /** The same, and the left events of windows without a right one, for which that is null. */
    public <O> EventFlux<WindowResult<K, List<O>>> left(
            BiFunction<? super L, ? super @Nullable R, ? extends O> joiner) {
        return join(JoinKind.LEFT, joiner);
    }

    /** The same, and the right events of windows without a left one, for which that is null. */
    public <O> EventFlux<WindowResult<K, List<O>>> right(
            BiFunction<? super @Nullable L, ? super R, ? extends O> joiner) {
        return join(JoinKind.RIGHT, joiner);
    }

    /** The same, and the events of windows with events of one stream only, for which the other one is null. */
    public <O> EventFlux<WindowResult<K, List<O>>> full(
            BiFunction<? super @Nullable L, ? super @Nullable R, ? extends O> joiner) {
        return join(JoinKind.FULL, joiner);
    }

    private <O> EventFlux<WindowResult<K, List<O>>> join(
            JoinKind kind, BiFunction<? super @Nullable L, ? super @Nullable R, ? extends O> joiner) {
        JoinAggregation<L, R, O> aggregation =
                new JoinAggregation<>(kind, Objects.requireNonNull(joiner, "joiner"), leftCodec, rightCodec);
        KeyedFlux<K, JoinEvent<L, R>> both = joined.keyed(aggregation.accumulatorCodec() != null);
        EventFlux<WindowResult<K, List<O>>> results =
                new WindowedFlux<>(both, windows, late, counters, explanations, null).aggregate(aggregation);
        return results.without(result -> result.value().isEmpty(), kind.name().toLowerCase(Locale.ROOT) + "-join");
    }
}
