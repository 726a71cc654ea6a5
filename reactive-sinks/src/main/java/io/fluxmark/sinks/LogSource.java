package io.fluxmark.sinks;

import io.fluxmark.log.ConsumerGroup;
import io.fluxmark.log.EventCodec;
import io.fluxmark.log.GroupSpec;
import io.fluxmark.log.LogRecord;
import io.fluxmark.log.MemberFencedException;
import io.fluxmark.log.RecordRun;
import io.fluxmark.log.Topic;
import io.fluxmark.log.TypedTopic;
import io.fluxmark.windows.EventDecoder;
import io.fluxmark.windows.EventFlux;
import io.fluxmark.windows.EventSource;
import io.fluxmark.windows.InvalidEvent;
import io.fluxmark.windows.InvalidSink;
import io.fluxmark.windows.LaneContext;
import io.fluxmark.windows.MergedEvent;
import io.fluxmark.windows.MergedEventReader;
import io.fluxmark.windows.StreamElement;
import io.fluxmark.windows.TimestampFunction;
import io.fluxmark.windows.WatermarkSpec;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;

/**
 * A topic as the start of a job, read from the offsets that the job has committed. With {@code keyByRecordKey} every partition
 * is a lane of its own; with {@code keyBy} one lane is over all of them. Immutable.
 *
 * <p>A lane over several partitions reads the record with the lowest event time of those that come next in their partitions, of
 * equal ones that of the lowest partition. It waits for a partition that has more to give and passes by one that is read to its
 * end: over what is in the log already the order is always the same, and for what is being appended it depends on when it
 * comes. Of each partition two runs are read ahead, together at most 8,192 records or 32 of each partition. Where {@code
 * parallel} divides keys among several threads, as many runs more are decoded ahead, each on a worker of the job's scheduler.
 *
 * <p>A record that can't be decoded, or has no usable time, is counted as rejected and handed to {@link #invalidTo}; the
 * job goes on.
 *
 * @param <T> the events
 */
public final class LogSource<T> {

    private final Topic topic;
    private final EventCodec<T> codec;
    private final @Nullable Function<Object, byte[]> keyBytes;
    private final InvalidSink invalid;
    private final @Nullable ConsumerGroup group;

    private LogSource(
            Topic topic,
            EventCodec<T> codec,
            @Nullable Function<Object, byte[]> keyBytes,
            InvalidSink invalid,
            @Nullable ConsumerGroup group) {
        this.topic = topic;
        this.codec = codec;
        this.keyBytes = keyBytes;
        this.invalid = invalid;
        this.group = group;
    }

    /** The events of a topic. Keys of records are expected to be the UTF-8 bytes of the keys of events. */
    public static <T> LogSource<T> of(TypedTopic<T> topic) {
        return new LogSource<>(
                topic.topic(),
                topic.codec(),
                key -> key.toString().getBytes(StandardCharsets.UTF_8),
                InvalidSink.calling(invalid -> {}),
                null);
    }

    /** How a key of {@code keyByRecordKey} is encoded in the records: what its partition is checked by. */
    public LogSource<T> recordKeys(Function<Object, byte[]> encoder) {
        return new LogSource<>(topic, codec, Objects.requireNonNull(encoder, "encoder"), invalid, group);
    }

    /** Records were put into partitions by other means than the hash of their key: no key is checked. */
    public LogSource<T> placedExplicitly() {
        return new LogSource<>(topic, codec, null, invalid, group);
    }

    /**
     * Is given what is rejected, in order per lane, on the lane's thread; at least once, since a crash replays it. Of a record
     * that can't be decoded, {@link InvalidEvent#event()} is the {@link LogRecord}, with its partition and offset.
     */
    public LogSource<T> invalidTo(Consumer<? super InvalidEvent> consumer) {
        return invalidTo(InvalidSink.calling(consumer));
    }

    /** Where goes what is rejected: a {@link DeadLetterTable} has each exactly once, in the job's own transaction. */
    public LogSource<T> invalidTo(InvalidSink sink) {
        return new LogSource<>(topic, codec, keyBytes, Objects.requireNonNull(sink, "sink"), group);
    }

    /**
     * Has a group divide the partitions among all subscriptions to the job: each is a member, with the lanes of the partitions
     * that it is assigned. A partition that is taken from it is stopped behind a last commit; who gets it goes on from there,
     * with the state, the watermark and the offset of that commit. A member that does not come to that commit within
     * {@link GroupSpec#revokeTimeout} is fenced: its subscription ends with {@link MemberFencedException}, and what it had not
     * committed is refused.
     *
     * <p>{@code stopWhen}, a cancel and an error end one member; the others take over. How far the job is stands in its store; the
     * group is only told, so that its lag and what it keeps from retention are right: resetting it does not move the job. Only
     * for {@code keyByRecordKey}, and without {@code drainWhen}: to drain the job, stop all members and run it once without
     * a group.
     *
     * @param value of the log that the topic is of
     */
    public LogSource<T> assignedBy(ConsumerGroup value) {
        return new LogSource<>(topic, codec, keyBytes, invalid, Objects.requireNonNull(value, "group"));
    }

    /** The events with their time, from a function that gives instants; null makes an event invalid. */
    public EventFlux<T> watermarks(Function<? super T, ? extends @Nullable Instant> time, WatermarkSpec spec) {
        return events(TimestampFunction.<T>ofInstant(time), spec);
    }

    /** The events with their time, from a function that gives milliseconds since the epoch. */
    public EventFlux<T> watermarksMillis(TimestampFunction<? super T> epochMillis, WatermarkSpec spec) {
        return events(epochMillis, spec);
    }

    private EventFlux<T> events(TimestampFunction<? super T> time, WatermarkSpec spec) {
        InvalidSink rejected = invalid instanceof DeadLetterTable table ? table.ofTopic(topic.name()) : invalid;
        return EventFlux.fromSource(
                new TopicSource(topic, keyBytes, group), new RecordDecoder<>(codec), time, spec, rejected);
    }

    /** Decodes records where they lie. */
    private record RecordDecoder<T>(EventCodec<T> codec) implements EventDecoder<LogRecord, T> {

        @Override
        public T decode(LogRecord record) {
            return codec.decode(record);
        }

        @Override
        public T decodeAt(List<? extends LogRecord> run, int index) {
            return run instanceof RecordRun records
                    ? codec.decodeView(records.view(index))
                    : codec.decode(run.get(index));
        }
    }

    /** The topic as the root of a recipe. */
    record TopicSource(Topic topic, @Nullable Function<Object, byte[]> keyBytes, @Nullable ConsumerGroup group)
            implements EventSource<LogRecord> {

        @Override
        public String name() {
            return topic.name();
        }

        @Override
        public int partitions() {
            return topic.partitionCount();
        }

        @Override
        public Flux<StreamElement<LogRecord>> open(LaneContext lane) {
            return LaneReader.open(JobLane.of(lane), lane.runSize());
        }

        @Override
        public <T> Flux<StreamElement<MergedEvent<T>>> openMerged(
                LaneContext lane, MergedEventReader<LogRecord, T> reader) {
            return MergedLaneReader.open(JobLane.of(lane), lane.runSize(), reader);
        }

        @Override
        public EventSource<LogRecord> joinedWith(EventSource<?> other, boolean merged) {
            if (other instanceof TopicSource right) {
                return JoinedTopics.of(this, right, merged);
            }
            throw new IllegalStateException("a join in a job reads two log topics, but " + name()
                    + " was to be read together with " + other.name()
                    + ": write what a join makes to a topic, and join that");
        }
    }
}
