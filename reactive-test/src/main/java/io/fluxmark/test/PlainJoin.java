package io.fluxmark.test;

import io.fluxmark.windows.JoinInterval;
import io.fluxmark.windows.JoinKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * What a join comes to, in plain batch: two nested loops over the events that were accepted. It shares nothing with the operator
 * but the definition. Immutable.
 *
 * @param <K> the key
 * @param <L> the events of the left stream
 * @param <R> the events of the right stream
 */
public final class PlainJoin<K, L, R> {

    private final JoinInterval interval;
    private final JoinKind kind;
    private final Function<? super L, ? extends K> leftKey;
    private final ToLongFunction<? super L> leftTime;
    private final Function<? super R, ? extends K> rightKey;
    private final ToLongFunction<? super R> rightTime;

    private PlainJoin(
            JoinInterval interval,
            JoinKind kind,
            Function<? super L, ? extends K> leftKey,
            ToLongFunction<? super L> leftTime,
            Function<? super R, ? extends K> rightKey,
            ToLongFunction<? super R> rightTime) {
        this.interval = Objects.requireNonNull(interval, "interval");
        this.kind = Objects.requireNonNull(kind, "kind");
        this.leftKey = leftKey;
        this.leftTime = leftTime;
        this.rightKey = rightKey;
        this.rightTime = rightTime;
    }

    /** A definition; times are epoch ms. */
    public static <K, L, R> PlainJoin<K, L, R> of(
            JoinInterval interval,
            JoinKind kind,
            Function<? super L, ? extends K> leftKey,
            ToLongFunction<? super L> leftTime,
            Function<? super R, ? extends K> rightKey,
            ToLongFunction<? super R> rightTime) {
        return new PlainJoin<>(interval, kind, leftKey, leftTime, rightKey, rightTime);
    }

    /** What these events come to when no more come, in any order. */
    public <O> List<O> join(
            List<? extends L> left,
            List<? extends R> right,
            BiFunction<? super @Nullable L, ? super @Nullable R, ? extends O> joiner) {
        return join(left, right, Long.MAX_VALUE, joiner);
    }

    /** The same at a watermark, behind which only those are alone whose last possible partner it has passed. */
    public <O> List<O> join(
            List<? extends L> left,
            List<? extends R> right,
            long watermark,
            BiFunction<? super @Nullable L, ? super @Nullable R, ? extends O> joiner) {
        List<O> joined = new ArrayList<>();
        for (L l : left) {
            boolean alone = true;
            for (R r : right) {
                if (joins(l, r)) {
                    joined.add(joiner.apply(l, r));
                    alone = false;
                }
            }
            if (alone && kind.keepsLeft() && leftTime.applyAsLong(l) + Math.max(interval.upper(), 0) <= watermark) {
                joined.add(joiner.apply(l, null));
            }
        }
        for (R r : right) {
            boolean alone = true;
            for (L l : left) {
                alone &= !joins(l, r);
            }
            if (alone && kind.keepsRight() && rightTime.applyAsLong(r) - Math.min(interval.lower(), 0) <= watermark) {
                joined.add(joiner.apply(null, r));
            }
        }
        return joined;
    }

    private boolean joins(L l, R r) {
        long apart = rightTime.applyAsLong(r) - leftTime.applyAsLong(l);
        return apart >= interval.lower()
                && apart <= interval.upper()
                && Objects.equals(leftKey.apply(l), rightKey.apply(r));
    }
}
