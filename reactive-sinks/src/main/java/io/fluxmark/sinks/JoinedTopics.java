package io.fluxmark.sinks;

import io.fluxmark.log.LogRecord;
import io.fluxmark.windows.EventSource;
import io.fluxmark.windows.LaneContext;
import io.fluxmark.windows.MergedEvent;
import io.fluxmark.windows.MergedEventReader;
import io.fluxmark.windows.StreamElement;
import java.util.List;
import reactor.core.publisher.Flux;

/**
 * Two topics that are joined, as the root of a recipe: one lane over all of their partitions, or a lane over one of each.
 *
 * @param merged whether it is one lane
 */
record JoinedTopics(LogSource.TopicSource left, LogSource.TopicSource right, boolean merged)
        implements EventSource<LogRecord> {

    static JoinedTopics of(LogSource.TopicSource left, LogSource.TopicSource right, boolean merged) {
        String names = left.name() + " and " + right.name();
        if (left.name().equals(right.name())) {
            throw new IllegalStateException("topic " + left.name()
                    + " is joined with itself: read it once, with a function over keyed events (process), or copy it");
        }
        if (left.group() != null || right.group() != null) {
            throw new IllegalStateException(
                    "the lanes of a join of " + names + " can't be shared by a group: leave assignedBy out");
        }
        if (!merged && left.partitions() != right.partitions()) {
            throw new IllegalStateException(
                    "topic " + left.name() + " has " + left.partitions() + " partitions and topic "
                            + right.name() + " has " + right.partitions()
                            + ", so that equal keys lie apart: use keyBy on both sides, or give the topics equally many");
        }
        return new JoinedTopics(left, right, merged);
    }

    /** Both, in the order of their partitions in a lane. */
    List<LogSource.TopicSource> both() {
        return List.of(left, right);
    }

    @Override
    public String name() {
        return left.name() + " and " + right.name();
    }

    @Override
    public int partitions() {
        return merged ? left.partitions() + right.partitions() : left.partitions();
    }

    @Override
    public Flux<StreamElement<LogRecord>> open(LaneContext lane) {
        return Flux.error(new IllegalStateException(name() + " are read in the order of their events only"));
    }

    @Override
    public <T> Flux<StreamElement<MergedEvent<T>>> openMerged(
            LaneContext lane, MergedEventReader<LogRecord, T> reader) {
        return MergedLaneReader.open(JobLane.of(lane), lane.runSize(), reader);
    }
}
