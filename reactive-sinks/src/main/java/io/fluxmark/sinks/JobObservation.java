package io.fluxmark.sinks;

import io.fluxmark.state.StoreInfo;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * A job at one moment: what it is doing, and what it has committed. What is committed is of one commit for each lane; the rest is
 * looked at beside it and may be a little newer.
 *
 * @param job the job's name
 * @param state what it is doing in this process
 * @param since when it has begun to, by its clock, epoch ms; {@link CheckpointFigures#NEVER} of a job that has not run
 * @param at when it was looked at, epoch ms
 * @param restarts how often it was subscribed to again after it had failed, since the store was opened
 * @param failure what it has failed with last, or null
 * @param interval the longest time between its checkpoints while there is input; null of a job that has not run
 * @param checkpoints what its checkpoints have cost
 * @param lanes its lanes in the order of their numbers
 * @param store the figures of its store
 */
public record JobObservation(
        String job,
        JobState state,
        long since,
        long at,
        long restarts,
        @Nullable Throwable failure,
        @Nullable Duration interval,
        CheckpointFigures checkpoints,
        List<LaneObservation> lanes,
        StoreInfo store) {

    /** Copies the list. */
    public JobObservation {
        lanes = List.copyOf(lanes);
    }

    /** Whether every lane was drained: the job is over for good. */
    public boolean finished() {
        return lanes.stream().allMatch(lane -> lane.committed().finished());
    }

    /** How many records are appended and not yet part of a commit, over all lanes. */
    public long lag() {
        return lanes.stream().mapToLong(LaneObservation::lag).sum();
    }

    /** How many records are appended and not read yet, over all lanes; -1 when the job does not run. */
    public long unread() {
        return state == JobState.RUNNING
                ? lanes.stream().mapToLong(lane -> Math.max(0, lane.unread())).sum()
                : -1;
    }

    /** The smallest committed watermark over lanes that have one, epoch ms. */
    public OptionalLong watermark() {
        return lanes.stream().flatMapToLong(lane -> lane.watermark().stream()).min();
    }

    /** How far the smallest watermark is behind the clock, ms; at least 0. */
    public OptionalLong watermarkLag() {
        OptionalLong watermark = watermark();
        return watermark.isEmpty() ? watermark : OptionalLong.of(Math.max(0, at - watermark.getAsLong()));
    }

    /** How long ago a lane has committed last, or the job has begun where none has since; empty when it does not run. */
    public OptionalLong checkpointAge() {
        if (state != JobState.RUNNING) {
            return OptionalLong.empty();
        }
        return OptionalLong.of(Math.max(0, at - Math.max(since, checkpoints.lastAt())));
    }

    /** Whether it is well, by the default rules. */
    public JobHealth health() {
        return JobHealth.of(this, HealthRules.defaults());
    }

    /** Whether it is well. */
    public JobHealth health(HealthRules rules) {
        return JobHealth.of(this, rules);
    }

    /** The whole of it in a few lines: what it is doing, its checkpoints, its lanes, and why their windows have not fired. */
    public String text() {
        return JobText.of(this);
    }

    @Override
    public String toString() {
        return text();
    }
}
