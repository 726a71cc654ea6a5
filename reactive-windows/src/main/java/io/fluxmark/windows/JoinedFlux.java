package io.fluxmark.windows;

import java.time.Duration;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;

/**
 * Two streams of keyed events that are to be joined by their keys, before it is said which times belong together: from {@link
 * KeyedFlux#join}.
 *
 * <p>The watermark is the smaller one of the two streams that are not idle: where one is silent, nothing of the other goes, and
 * nothing is known to have no partner; give both a time-out ({@link WatermarkSpec#idleAfter}). Once it is idle, it holds nothing
 * back, and what it brings behind the watermark then is late.
 *
 * <p>What becomes of events that a key or a joiner fails on, {@link EventFlux#onFailure} of the left stream says.
 *
 * <p>In a job both streams begin at a topic, with maps and filters behind it at most: one lane reads both topics in the order of
 * event time, with {@code keyByRecordKey} partition p of both, with {@code keyBy} all partitions.
 *
 * @param <K> the key
 * @param <L> the events of the left stream
 * @param <R> the events of the right stream
 */
public final class JoinedFlux<K, L, R> {

    final KeyedFlux<K, L> left;
    final KeyedFlux<K, R> right;

    /** Of both, before the stage that joins them. */
    final Plan plan;

    /** Null without sources with positions. */
    private final @Nullable JoinRoots<?, ?, ?, L, R> roots;

    JoinedFlux(KeyedFlux<K, L> left, KeyedFlux<K, R> right) {
        this.left = left;
        this.right = right;
        this.plan = left.plan.joinedWith(right.plan);
        if (!left.keyCodec.id().equals(right.keyCodec.id())) {
            throw new IllegalArgumentException("the left stream's keys have the codec " + left.keyCodec.id()
                    + " and the right one's " + right.keyCodec.id() + ": key both with the same one");
        }
        EventSource<?> both = plan.source();
        this.roots = both == null ? null : JoinRoots.of(both, left.root, right.root, plan.everyKey());
    }

    /**
     * Joins events whose times are near each other: a right one from {@code before} earlier than the left one to {@code after}
     * later, both included, each pair once (S44). Either may be negative, as long as something is in between.
     */
    public IntervalJoinFlux<K, L, R> within(Duration before, Duration after) {
        return within(JoinInterval.within(before, after));
    }

    /** The same of an interval. */
    public IntervalJoinFlux<K, L, R> within(JoinInterval interval) {
        return IntervalJoinFlux.of(this, interval);
    }

    /**
     * Joins events that are in the same window: all left ones with all right ones of the key.
     *
     * @param windows tumbling, sliding, calendar or session windows; a session is of the events of both streams
     */
    public WindowJoinFlux<K, L, R> window(WindowSpec windows) {
        return WindowJoinFlux.of(this, windows);
    }

    /**
     * Both streams in one, with their keys.
     *
     * @param canBeStored whether events can be kept in a store
     */
    KeyedFlux<K, JoinEvent<L, R>> keyed(boolean canBeStored) {
        plan.requireStorable(canBeStored);
        Function<? super L, ? extends K> leftKey = left.key;
        Function<? super R, ? extends K> rightKey = right.key;
        return new KeyedFlux<>(
                recipe(),
                plan,
                left.keyCodec,
                event -> {
                    L ofLeft = event.left();
                    return ofLeft != null
                            ? leftKey.apply(ofLeft)
                            : rightKey.apply(Objects.requireNonNull(event.right(), "right"));
                },
                null);
    }

    /** Both streams in one, with the watermark of both. */
    Function<LaneContext, Flux<StreamElement<JoinEvent<L, R>>>> recipe() {
        if (roots != null) {
            return roots::open;
        }
        String name = plan.nextName("join-inputs");
        return lane -> JoinInputsFlux.of(
                left.recipe.apply(new SideLane(lane, "left")),
                right.recipe.apply(new SideLane(lane, "right")),
                name,
                lane);
    }
}
