package io.fluxmark.windows;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One side of a join in a lane: where its events go when they are late, and where they wait for partners. Confined to the lane.
 *
 * @param <V> its events
 */
final class JoinSide<K, V> {

    final JoinInput<K, V> input;
    final JoinRows<K, V> rows;
    final boolean isRight;

    /** Whether what has found no partner is emitted. */
    final boolean keeps;

    private final long stays;
    private final LateSink.@Nullable Output<? super V> late;
    private final List<JoinRow<V>> found = new ArrayList<>();

    JoinSide(JoinDefinition<K, ?, ?, ?> definition, JoinInput<K, V> input, boolean isRight, LaneContext lane) {
        JoinInterval interval = definition.interval();
        this.input = input;
        this.isRight = isRight;
        this.keeps =
                isRight ? definition.kind().keepsRight() : definition.kind().keepsLeft();
        this.stays = isRight ? interval.rightStays() : interval.leftStays();
        PaneStore<K, List<JoinRow<V>>> store = lane.state()
                .panes(
                        definition.name() + (isRight ? "/right" : "/left"),
                        definition.header(),
                        definition.keyCodec(),
                        input.rowsCodec(),
                        null);
        this.rows = new JoinRows<>(store, interval.span(), stays);
        this.late = input.openLate(lane);
    }

    /** An event is behind the watermark; returns what it counts as. */
    Counter late(V event, long time, long watermark) {
        if (late == null) {
            return Counter.DROPPED;
        }
        late.accept(new LateEvent<>(event, time, watermark, List.of()));
        return Counter.SIDE;
    }

    /** The events of a key from one time to another, both included, in order; valid until the next call. */
    List<JoinRow<V>> find(K key, long from, long to) {
        found.clear();
        rows.find(key, from, to, found::add);
        return found;
    }

    /** When it is certain that an event at {@code time} has no partner. */
    long end(long time) {
        return Watermark.earlier(Watermark.deadline(time, stays), Watermark.END - 1);
    }

    /** The events of a key of which {@link #end} is {@code end}. */
    List<JoinRow<V>> endingAt(K key, long end) {
        return find(key, end - stays, end == Watermark.END - 1 ? Long.MAX_VALUE : end - stays);
    }

    void flush(StateTransaction transaction) {
        rows.flush(transaction);
        if (late != null) {
            late.flush(transaction);
        }
    }
}
