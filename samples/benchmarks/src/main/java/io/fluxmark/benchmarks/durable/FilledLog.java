package io.fluxmark.benchmarks.durable;

import io.fluxmark.benchmarks.Event;
import io.fluxmark.benchmarks.Generator;
import io.fluxmark.log.Durability;
import io.fluxmark.log.EventCodec;
import io.fluxmark.log.EventLog;
import io.fluxmark.log.LogSpec;
import io.fluxmark.log.Partition;
import io.fluxmark.log.Topic;
import io.fluxmark.log.TypedTopic;
import java.nio.file.Path;
import java.util.Objects;
import java.util.function.LongConsumer;
import reactor.core.publisher.Flux;

/**
 * A log that holds the events of a benchmark before it begins. Of one partition, the offset of an event is its number. One thread
 * may append.
 */
public final class FilledLog implements AutoCloseable {

    private static final String TOPIC = "events";

    private final EventLog log;
    private final TypedTopic<Event> events;
    private long count;

    private FilledLog(EventLog log, Topic topic, EventCodec<Event> codec, long count) {
        this.log = log;
        this.events = new TypedTopic<>(topic, codec);
        this.count = count;
    }

    /** Appends the first {@code count} events of a generator to a new log, and forces them. */
    public static FilledLog in(Path directory, int partitions, Generator generator, long count) {
        return in(directory, partitions, generator, count, new EventRecords());
    }

    /** The same in records of another form. */
    static FilledLog in(Path directory, int partitions, Generator generator, long count, EventCodec<Event> codec) {
        EventLog log = openLog(directory);
        Topic topic = Objects.requireNonNull(log.createTopic(TOPIC, partitions).block(), "topic");
        FilledLog filled = new FilledLog(log, topic, codec, 0);
        filled.append(generator, count);
        return filled;
    }

    /** Opens what {@link #in} has made, if need be after a crash. */
    public static FilledLog open(Path directory) {
        EventLog log = openLog(directory);
        Topic topic = log.topic(TOPIC);
        return new FilledLog(
                log,
                topic,
                new EventRecords(),
                topic.partitions().stream().mapToLong(Partition::endOffset).sum());
    }

    private static EventLog openLog(Path directory) {
        return Objects.requireNonNull(
                EventLog.open(directory, LogSpec.defaults().durability(Durability.OS))
                        .block(),
                "log");
    }

    /** Appends the next {@code more} events of the generator, and forces them. */
    public void append(Generator generator, long more) {
        Topic topic = events.topic();
        topic.append(Flux.fromIterable(generator.events(count, count + more)).map(events.codec()::encode))
                .then()
                .block();
        Flux.fromIterable(topic.partitions())
                .concatMap(partition -> partition.force(partition.endOffset()))
                .then()
                .block();
        count += more;
    }

    /** The events. */
    public TypedTopic<Event> events() {
        return events;
    }

    /**
     * The events, where {@code offsets} is told the offset of each when it has been decoded, on the thread that reads: what it does takes
     * the reader's time.
     */
    public TypedTopic<Event> watched(LongConsumer offsets) {
        return new TypedTopic<>(events.topic(), new WatchedRecords(events.codec(), offsets));
    }

    /** How many events there are. */
    public long count() {
        return count;
    }

    @Override
    public void close() {
        log.close();
    }
}
