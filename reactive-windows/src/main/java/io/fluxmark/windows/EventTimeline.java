package io.fluxmark.windows;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Event time as an operator over several partitions keeps it: the combined watermark, who is idle, what of that has been
 * told downstream, and what is committed of it. Confined to the drain loop.
 */
final class EventTimeline {

    /** Under which the state of the partitions is committed, and how far the clock was followed. */
    private static final String PARTITIONS_NAME = "partitions";

    private static final String FOLLOWED_NAME = "followed";

    private final String name;
    private final CombinedWatermark combined;
    private final @Nullable SilenceWatch silence;
    private final boolean tellsIdle;
    private final @Nullable Alignment alignment;
    private final LiveCounters counters = new LiveCounters();

    /** The last watermark that the upstream gave. */
    private long given = Watermark.NONE;

    private long told = Watermark.NONE;
    private boolean idleTold;
    private boolean byTimeout;

    /** When the last event of each partition came, or the beginning, epoch ms. */
    private final long[] lastCame;

    /** @param alignment is told who is idle; null where nobody waits for it */
    EventTimeline(
            String name,
            int partitions,
            WatermarkSpec spec,
            @Nullable Alignment alignment,
            LaneContext lane,
            Runnable wake) {
        this(name, Collections.nCopies(partitions, spec), alignment, lane, wake);
    }

    /** @param specs by partition, of which there is one at least; all say the same of silence */
    EventTimeline(
            String name, List<WatermarkSpec> specs, @Nullable Alignment alignment, LaneContext lane, Runnable wake) {
        int partitions = specs.size();
        WatermarkSpec spec = specs.get(0);
        this.name = name;
        this.combined = new CombinedWatermark(specs);
        this.silence =
                spec.watchesSilence() ? new SilenceWatch(combined, spec, new WakeTimer(lane.clock(), wake)) : null;
        this.tellsIdle = spec.idleAfterNanos() != WatermarkSpec.NEVER;
        this.alignment = alignment;
        this.lastCame = new long[partitions];
        Arrays.fill(lastCame, lane.clock().now(TimeUnit.MILLISECONDS));
        restore(lane.state());
        lane.counters(name, counters);
        if (alignment != null) {
            for (int p = 0; p < partitions; p++) {
                alignment.restore(p, combined.partition(p).maximum());
            }
            tellWhoIsIdle(alignment);
        }
    }

    private void tellWhoIsIdle(Alignment told) {
        for (int p = 0; p < combined.partitions(); p++) {
            told.idle(p, combined.state(p) == CombinedWatermark.State.IDLE);
        }
        told.told();
    }

    private void restore(StateBackend state) {
        long[] partitions = state.longs(name, PARTITIONS_NAME);
        long[] overall = state.longs(name, WatermarkSpec.STATE_NAME);
        long[] followed = state.longs(name, FOLLOWED_NAME);
        if (partitions != null) {
            combined.restore(partitions);
        } else if (overall != null) {
            if (combined.partitions() == 1) {
                combined.partition(0).restoreMaximum(overall[0]);
            }
            combined.advanceTo(overall[1]);
        }
        if (silence != null && followed != null) {
            silence.restore(followed[0]);
        }
        counters.restore(state, name);
        told = combined.watermark();
        idleTold = isIdle();
    }

    void save(StateTransaction transaction) {
        transaction.longs(name, WatermarkSpec.STATE_NAME, new long[] {combined.maximum(), combined.watermark()});
        transaction.longs(name, PARTITIONS_NAME, combined.state());
        if (silence != null) {
            transaction.longs(name, FOLLOWED_NAME, new long[] {silence.followed()});
        }
        counters.save(transaction, name);
    }

    LiveCounters counters() {
        return counters;
    }

    /** The watermark that the next event is judged by. */
    long watermark() {
        return combined.watermark();
    }

    /** Has to be called before events are read; {@code isCaughtUp}: has nothing unread beside them. */
    void beforeEvents(IntPredicate isCaughtUp) {
        if (silence != null) {
            silence.activateUnread(isCaughtUp);
        }
        if (alignment != null) {
            tellWhoIsIdle(alignment);
        }
    }

    /**
     * An accepted event of partition {@code p}; one that is ahead of the guard does not move the watermark.
     *
     * @param now about when it came, epoch ms
     */
    void onEvent(int p, long timestamp, boolean isAhead, long now) {
        lastCame[p] = now;
        if (silence != null) {
            silence.onEvent(p);
        }
        if (alignment != null) {
            alignment.idle(p, false);
        }
        if (isAhead) {
            combined.activate(p);
        } else if (!combined.onEvent(p, timestamp)) {
            counters.add(Counter.WATERMARK_REGRESSIONS, 1);
        }
        byTimeout = false;
    }

    /** Progress that the upstream has told. */
    void onProgress(Watermark<?> progress) {
        if (Watermark.advances(progress.timestamp(), given)) {
            counters.add(Counter.WATERMARK_REGRESSIONS, 1);
            return;
        }
        given = progress.timestamp();
        byTimeout = progress.byTimeout();
        combined.advanceTo(given);
    }

    /** Partition {@code p} has ended. */
    void finish(int p) {
        combined.finish(p);
        byTimeout = false;
    }

    /** Looks at the clock, while there is demand and nothing at hand; {@code isCaughtUp}: has nothing unread. */
    void check(IntPredicate isCaughtUp) {
        if (silence == null || isOver()) {
            return;
        }
        long before = combined.watermark();
        silence.check(isCaughtUp);
        if (before != combined.watermark()) {
            byTimeout = true;
        }
        if (alignment != null) {
            tellWhoIsIdle(alignment);
        }
    }

    /** The watermark of partition {@code p} alone where it holds the others, {@link Watermark#END} where it does not. */
    long holding(int p) {
        return combined.state(p) == CombinedWatermark.State.ACTIVE
                ? combined.partition(p).watermark()
                : Watermark.END;
    }

    /** What the drain loop says when it is at work again. */
    void work() {
        if (silence != null) {
            silence.work();
        }
    }

    /** What it says at its pauses. */
    void pause(boolean isWaiting, boolean over) {
        if (silence == null) {
            return;
        }
        silence.rest();
        if (!isWaiting) {
            silence.interrupt();
        }
        if (over) {
            silence.dispose();
        }
    }

    /** Where the watermark comes from; {@code lane} says of one partition which it is, and what is unread of it. */
    WatermarkOrigin origin(LaneContext lane) {
        List<PartitionProgress> partitions = new ArrayList<>();
        boolean areTheLanes = combined.partitions() == lane.partitions().size();
        for (int p = 0; p < combined.partitions(); p++) {
            PartitionWatermark partition = combined.partition(p);
            int number = areTheLanes ? lane.partitions().get(p) : p;
            partitions.add(new PartitionProgress(
                    number,
                    standing(p),
                    !isOver() && combined.isHeldBy(p),
                    partition.maximum(),
                    partition.watermark(),
                    lastCame[p],
                    areTheLanes ? lane.lag(number) : -1,
                    partition.delay()));
        }
        return new WatermarkOrigin(name, combined.watermark(), partitions);
    }

    private PartitionProgress.Standing standing(int p) {
        return switch (combined.state(p)) {
            case ACTIVE -> PartitionProgress.Standing.ACTIVE;
            case IDLE -> PartitionProgress.Standing.IDLE;
            case FINISHED -> PartitionProgress.Standing.FINISHED;
        };
    }

    private boolean isOver() {
        return combined.watermark() == Watermark.END;
    }

    private boolean isIdle() {
        return tellsIdle && combined.noneBut(CombinedWatermark.State.IDLE) && !isOver();
    }

    /** Whether downstream believes that nothing comes, and something does: {@link #tellActive} comes before a run. */
    boolean isBack() {
        return idleTold && !isIdle();
    }

    <T> Idle<T> tellActive() {
        idleTold = false;
        return new Idle<>(false);
    }

    /** A run is handed out, behind which this watermark is in force. */
    void toldByRun(long watermark) {
        told = watermark;
    }

    /** Whether {@link #tell} has something to say. */
    boolean hasNews() {
        return Watermark.advances(told, combined.watermark()) || idleTold != isIdle();
    }

    /** The next control element that downstream does not know of yet, or null. */
    <T> @Nullable StreamElement<T> tell() {
        if (Watermark.advances(told, combined.watermark())) {
            told = combined.watermark();
            idleTold &= !isOver(); // whoever has heard of the end needs no word of a return
            return new Watermark<>(told, byTimeout);
        }
        if (idleTold != isIdle()) {
            idleTold = !idleTold;
            return new Idle<>(idleTold);
        }
        return null;
    }
}
