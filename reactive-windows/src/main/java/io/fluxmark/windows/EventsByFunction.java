package io.fluxmark.windows;

import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/** Events whose partition a function says; the lane's source knows nothing of these partitions. */
final class EventsByFunction<S, T> implements PartitionedEvents<S, T> {

    private final TimestampReader<S, T> reader;
    private final int partitions;
    private final ToIntFunction<? super T> function;
    private final LaneContext lane;
    private int partition;

    EventsByFunction(
            TimeDefinition<S, T> definition, int partitions, ToIntFunction<? super T> function, LaneContext lane) {
        this.reader = new TimestampReader<>(definition, lane);
        this.partitions = partitions;
        this.function = function;
        this.lane = lane;
    }

    @Override
    public long begin() {
        return reader.begin();
    }

    @Override
    public @Nullable T read(S source) {
        T value = reader.read(source);
        return value == null || !readPartition(value) ? null : value;
    }

    private boolean readPartition(T value) {
        try {
            partition = function.applyAsInt(value);
        } catch (RuntimeException e) {
            reader.reject(value, "no partition can be had: " + e, e);
            return false;
        }
        if (partition < 0 || partition >= partitions) {
            reader.reject(
                    value,
                    "partition " + partition + " is not one of 0 to " + (partitions - 1)
                            + "; correct the partition function, or the number of partitions",
                    null);
            return false;
        }
        return true;
    }

    @Override
    public long timestamp() {
        return reader.timestamp();
    }

    @Override
    public boolean isAhead() {
        return reader.isAhead();
    }

    @Override
    public int partition() {
        return partition;
    }

    @Override
    public void end(TimedRun<T> run) {
        reader.end(run);
    }

    @Override
    public void flush(StateTransaction transaction) {
        reader.flush(transaction);
    }

    @Override
    public boolean isCaughtUp(int p) {
        for (int each : lane.partitions()) {
            if (lane.lag(each) > 0) {
                return false;
            }
        }
        return true;
    }
}
