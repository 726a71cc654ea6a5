package io.fluxmark.windows;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads the records of a lane over several partitions, for the source, before they are ordered. What it rejects is told of by
 * {@link EventsOfLane}, in its turn: only then is it known which transaction it belongs to.
 */
final class MergedRecords<S, T> implements MergedEventReader<S, T> {

    private final TimeDefinition<S, T> definition;
    private final LaneContext lane;
    private final TimestampReader<S, T> reader;
    private MergedEvent.@Nullable Rejection rejection;

    private final @Nullable Alignment alignment;

    MergedRecords(TimeDefinition<S, T> definition, @Nullable Alignment alignment, LaneContext lane) {
        this.definition = definition;
        this.alignment = alignment;
        this.lane = lane;
        InvalidSink keeping = new InvalidSink() {
            @Override
            public Output open(LaneContext context) {
                return (event, source) -> rejection = new MergedEvent.Rejection(event, source);
            }
        };
        this.reader = new TimestampReader<>(definition.rejectingTo(keeping), lane);
    }

    @Override
    public @Nullable Alignment alignment() {
        return alignment;
    }

    @Override
    public MergedEventReader<S, T> another() {
        return new MergedRecords<>(definition, alignment, lane);
    }

    @Override
    public void begin() {
        reader.begin();
    }

    @Override
    public MergedEvent<T> read(int partition, List<? extends S> run, int index) {
        @Nullable T value = reader.read(run, index);
        if (value == null) {
            return MergedEvent.rejected(partition, Objects.requireNonNull(rejection, "rejection"));
        }
        reader.end();
        return MergedEvent.of(partition, value, reader.timestamp(), reader.isAhead());
    }
}
