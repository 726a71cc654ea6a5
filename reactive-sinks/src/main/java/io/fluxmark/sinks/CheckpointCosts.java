package io.fluxmark.sinks;

import io.fluxmark.state.StateStore;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * What the checkpoints of a job of this process cost, as measured from those that have become durable, newer ones counting
 * more; kept for as long as the store, over all runs of the job. Thread-safe; reading costs next to nothing, so that all of it
 * can be a metric.
 *
 * <p>The cost is time lost: in which a lane hands its barrier on and serialises what has changed, in which it stands still at its next
 * barrier until the commit is durable although there is more to do, and the share of the processors that the store's
 * thread takes. Waiting of which a lane takes no notice costs nothing, nor do rows: each is written once, however many checkpoints
 * there are. Operators that a pipeline runs on threads of its own are not seen.
 */
public final class CheckpointCosts {

    /** How much the newest checkpoint of a lane counts. */
    private static final double WEIGHT = 0.125;

    private final int processors;

    /** By lane, its own time and that of the store for it, nanoseconds. */
    private final Map<Integer, double[]> lanes = new TreeMap<>();

    private long checkpoints;
    private long restartNanos;

    CheckpointCosts(int processors) {
        this.processors = processors;
    }

    /** Of the job of that name on that store; without any checkpoint if it has not run. */
    public static CheckpointCosts of(StateStore store, String job) {
        return RunningJobs.costs(Objects.requireNonNull(store, "store"), Objects.requireNonNull(job, "job"));
    }

    /** One lane's transaction is durable. */
    synchronized void add(int lane, long ownNanos, long storeNanos) {
        checkpoints++;
        double[] mean = lanes.get(lane);
        if (mean == null) {
            lanes.put(lane, new double[] {ownNanos, storeNanos});
        } else {
            mean[0] += WEIGHT * (ownNanos - mean[0]);
            mean[1] += WEIGHT * (storeNanos - mean[1]);
        }
    }

    /** All lanes of a run are open. */
    synchronized void restarted(long nanos) {
        restartNanos = nanos;
    }

    /** How many transactions of lanes were measured. */
    public synchronized long checkpoints() {
        return checkpoints;
    }

    /**
     * The time that one round of barriers costs the job, one in each lane; zero before the first. Lanes share the processors: four
     * lanes on two of them lose half the sum of what each loses.
     */
    public synchronized Duration perCheckpoint() {
        double own = 0;
        double store = 0;
        for (double[] mean : lanes.values()) {
            own += mean[0];
            store += mean[1];
        }
        int together = Math.max(1, Math.min(lanes.size(), processors));
        return Duration.ofNanos((long) (own / together + store / processors));
    }

    /**
     * How long the job took from its last subscription until all its lanes were open and restored; zero before the first. The start
     * of a process and the opening of log and store come on top.
     */
    public synchronized Duration restart() {
        return Duration.ofNanos(restartNanos);
    }

    /**
     * What the square-root rule makes of them.
     *
     * @param betweenFailures the mean time between failures, positive
     * @throws IllegalStateException before the first checkpoint
     */
    public CheckpointAdvice advice(Duration betweenFailures) {
        Duration cost = perCheckpoint();
        if (cost.isZero()) {
            throw new IllegalStateException(
                    "no checkpoint of the job is measured yet; ask again when checkpoints() is positive");
        }
        return new CheckpointAdvice(cost, restart(), betweenFailures);
    }
}
