package io.fluxmark.benchmarks.durable;

import io.fluxmark.benchmarks.Event;
import io.fluxmark.benchmarks.Generator;
import io.fluxmark.log.Durability;
import io.fluxmark.log.EventLog;
import io.fluxmark.log.LogSpec;
import io.fluxmark.log.Topic;
import io.fluxmark.log.TypedTopic;
import java.nio.file.Path;
import java.util.Objects;
import reactor.core.publisher.Flux;

/** A log that holds the events of a benchmark before it begins. */
final class FilledLog implements AutoCloseable {

    private static final String TOPIC = "events";

    private final EventLog log;
    private final TypedTopic<Event> events;
    private long count;

    private FilledLog(EventLog log, Topic topic) {
        this.log = log;
        this.events = new TypedTopic<>(topic, new EventRecords());
    }

    /** Appends the first {@code count} events of a generator to a new log, and forces them. */
    static FilledLog in(Path directory, int partitions, Generator generator, long count) {
        EventLog log = Objects.requireNonNull(
                EventLog.open(directory, LogSpec.defaults().durability(Durability.OS))
                        .block(),
                "log");
        Topic topic = Objects.requireNonNull(log.createTopic(TOPIC, partitions).block(), "topic");
        FilledLog filled = new FilledLog(log, topic);
        filled.append(generator, count);
        return filled;
    }

    /** Appends the next {@code more} events of the generator, and forces them. */
    void append(Generator generator, long more) {
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

    TypedTopic<Event> events() {
        return events;
    }

    long count() {
        return count;
    }

    @Override
    public void close() {
        log.close();
    }
}
