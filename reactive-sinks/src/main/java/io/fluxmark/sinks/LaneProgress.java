package io.fluxmark.sinks;

import io.fluxmark.windows.LiveExplanation;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/** What one lane of a running job is doing. Thread-safe. */
final class LaneProgress {

    /** A barrier that has come to the end of the lane, at that many nanoseconds of the clock. */
    private record Arrival(long nanos, long bytes, long rows) {}

    private final JobProgress job;
    private final JobLane lane;

    /** Two at most: one whose commit is under way, and one that waits for it. */
    private final Deque<Arrival> arrivals = new ArrayDeque<>();

    private final List<LiveExplanation> explanations = new CopyOnWriteArrayList<>();

    /** About how much heap the lane's state took at the last barrier. */
    private volatile long stateBytes;

    LaneProgress(JobProgress job, JobLane lane) {
        this.job = job;
        this.lane = lane;
    }

    JobLane lane() {
        return lane;
    }

    /** A barrier has come to the end of the lane, on whose thread this is called. */
    void reached(long bytes, long rows) {
        stateBytes = lane.stateBytes();
        long now = lane.clock().now(TimeUnit.NANOSECONDS);
        synchronized (arrivals) {
            arrivals.add(new Arrival(now, bytes, rows));
        }
    }

    /** The oldest barrier's transaction is durable. */
    void durable() {
        Arrival oldest;
        synchronized (arrivals) {
            oldest = arrivals.poll();
        }
        if (oldest != null) {
            long nanos = lane.clock().now(TimeUnit.NANOSECONDS) - oldest.nanos();
            job.completed(
                    lane.clock().now(TimeUnit.MILLISECONDS), Duration.ofNanos(nanos), oldest.bytes(), oldest.rows());
        }
    }

    /** The oldest barrier's transaction has failed. */
    void failed() {
        job.failed();
    }

    long stateBytes() {
        return stateBytes;
    }

    /** A windowed operator of the lane can be asked. */
    void explanation(LiveExplanation live) {
        explanations.add(live);
    }

    /** What tells why the lane's windows have not fired, in the order of the stream. */
    List<LiveExplanation> explanations() {
        return explanations;
    }
}
