package io.fluxmark.windows;

import java.util.IdentityHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Events of the partitions of a lane, which the source has read already to order them. */
final class EventsOfLane<T> implements PartitionedEvents<MergedEvent<T>, T> {

    private final LaneContext lane;

    /** By partition; the same where the sink is. */
    private final List<InvalidSink.Output> invalid;

    private final Set<InvalidSink.Output> all;
    private long timestamp;
    private boolean ahead;
    private int partition;

    /** @param invalid by partition, where goes what is rejected */
    EventsOfLane(List<InvalidSink> invalid, LaneContext lane) {
        this.lane = lane;
        IdentityHashMap<InvalidSink, InvalidSink.Output> open = new IdentityHashMap<>();
        this.invalid = invalid.stream()
                .map(sink -> open.computeIfAbsent(sink, each -> each.open(lane)))
                .toList();
        this.all = new LinkedHashSet<>(this.invalid);
    }

    @Override
    public long begin() {
        return lane.clock().now(TimeUnit.MILLISECONDS);
    }

    @Override
    public @Nullable T read(MergedEvent<T> event) {
        timestamp = event.timestamp();
        ahead = event.isAhead();
        partition = event.partition();
        MergedEvent.Rejection rejection = event.rejection();
        if (rejection != null) {
            reject(rejection);
        }
        return event.value();
    }

    private void reject(MergedEvent.Rejection rejection) {
        try {
            invalid.get(partition).accept(rejection.event(), rejection.source());
        } catch (Throwable t) {
            FailedEvent.addTo(t, rejection.event().event());
            throw t;
        }
    }

    @Override
    public long timestamp() {
        return timestamp;
    }

    @Override
    public boolean isAhead() {
        return ahead;
    }

    @Override
    public int partition() {
        return partition;
    }

    @Override
    public void end(TimedRun<T> run) {
        // the source has looked at each event
    }

    @Override
    public void flush(StateTransaction transaction) {
        all.forEach(output -> output.flush(transaction));
    }

    @Override
    public boolean isCaughtUp(int p) {
        return lane.lag(lane.partitions().get(p)) <= 0;
    }
}
