package io.fluxmark.windows;

import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * How far the partitions of a lane may be apart in event time (S35). A source that reads them in order of time asks it before it
 * hands on an event, and waits where it says so: the lane's next event would be too far ahead of a partition that has nothing to
 * read at the moment, and is not idle.
 *
 * <p>Confined to the reader of the lane, but for who is idle, which the operator that makes the watermark tells on any thread.
 */
public final class Alignment {

    private final long maxSkew;

    /** The largest timestamp of each partition that was handed on, epoch ms. */
    private final long[] maxima;

    private final AtomicIntegerArray idle;

    /** Whether somebody has become idle whom nobody has been told of: the operator's own. */
    private boolean changed;

    private volatile Runnable listener = () -> {};

    private Alignment(int partitions, long maxSkew) {
        this.maxSkew = maxSkew;
        this.maxima = new long[partitions];
        this.idle = new AtomicIntegerArray(partitions);
    }

    /** Null where partitions may be apart as far as they are. */
    static @Nullable Alignment of(int partitions, WatermarkSpec spec) {
        return spec.maxSkewMillis() == WatermarkSpec.NEVER ? null : new Alignment(partitions, spec.maxSkewMillis());
    }

    /** Where a partition stands when the lane begins; before anything is read. */
    void restore(int partition, long maximum) {
        maxima[partition] = maximum;
    }

    /** Whether a partition is idle; {@link #told} once all of them have been said. */
    void idle(int partition, boolean isIdle) {
        int now = isIdle ? 1 : 0;
        changed |= idle.getAndSet(partition, now) < now;
    }

    /** Wakes the reader if somebody has become idle. */
    void told() {
        if (changed) {
            changed = false;
            listener.run();
        }
    }

    /** Has {@code wake} run, on any thread, whenever the answer of {@link #mayRead} may have become another one. */
    public void onChange(Runnable wake) {
        listener = wake;
    }

    /** An event of {@code partition}, from 0, is handed on, with its place in the order of all. */
    public void read(int partition, long order) {
        maxima[partition] = Math.max(maxima[partition], order);
    }

    /**
     * Whether the next event may be handed on where it is one of {@code partition}.
     *
     * @param isWaitedFor whether a partition has nothing to read at the moment, and has not ended
     */
    public boolean mayRead(int partition, IntPredicate isWaitedFor) {
        for (int p = 0; p < maxima.length; p++) {
            if (Watermark.leads(maxima[partition], maxima[p], maxSkew) && idle.get(p) == 0 && isWaitedFor.test(p)) {
                return false;
            }
        }
        return true;
    }
}
