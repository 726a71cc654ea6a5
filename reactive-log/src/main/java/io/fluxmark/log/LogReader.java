package io.fluxmark.log;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import reactor.core.publisher.Mono;

/**
 * Reads the log in a directory without opening it: takes no lock, changes no file, holds nothing open. For tools beside the process
 * that has the log {@linkplain EventLog open}; within that process read from the {@link Partition}, which tells when something comes.
 * Immutable; each setting returns a changed copy.
 */
public final class LogReader {

    private static final Duration DEFAULT_POLL_INTERVAL = Duration.ofMillis(200);
    private static final Duration MIN_POLL_INTERVAL = Duration.ofMillis(1);
    private static final Duration MAX_POLL_INTERVAL = Duration.ofHours(1);

    private final Path directory;
    private final LogSpec spec;
    private final LogStorage storage;
    private final Duration pollInterval;

    private LogReader(Path directory, LogSpec spec, Duration pollInterval) {
        this.directory = directory;
        this.spec = spec;
        this.storage = new ReadOnlyStorage(spec.storage());
        this.pollInterval = pollInterval;
    }

    /** With {@link LogSpec#defaults()}. */
    public static LogReader of(Path directory) {
        return of(directory, LogSpec.defaults());
    }

    /**
     * The log in a directory, which need not exist yet.
     *
     * @param spec of which {@link LogSpec#readScheduler}, {@link LogSpec#readBufferBytes} and {@link LogSpec#storage} matter
     *     here; the scheduler has to be able to schedule by time
     */
    public static LogReader of(Path directory, LogSpec spec) {
        return new LogReader(
                Objects.requireNonNull(directory, "directory").toAbsolutePath(),
                Objects.requireNonNull(spec, "spec"),
                DEFAULT_POLL_INTERVAL);
    }

    /**
     * How often files are looked at while somebody reads, on {@link LogSpec#readScheduler}: another process does not tell that it has
     * appended. For each partition that is read, one look for all its readers.
     *
     * @param value 1 millisecond to 1 hour; 200 milliseconds by default
     */
    public LogReader pollInterval(Duration value) {
        return new LogReader(
                directory, spec, Limits.within("pollInterval", value, MIN_POLL_INTERVAL, MAX_POLL_INTERVAL));
    }

    /**
     * The names of the topics there are at subscription, in order; none if there is no such directory. Looked up on {@link
     * LogSpec#readScheduler}.
     *
     * @return errors with {@link UncheckedIOException}
     */
    public Mono<List<String>> topics() {
        return onReadScheduler(this::names);
    }

    /**
     * A topic as it is at subscription. Reads the last segment of each partition, on {@link LogSpec#readScheduler}.
     *
     * @return errors with {@link UnknownTopicException}, {@link UncheckedIOException}, {@link UnsupportedFormatException}
     */
    public Mono<TopicReader> topic(String name) {
        Objects.requireNonNull(name, "name");
        return onReadScheduler(() -> open(name));
    }

    private List<String> names() throws IOException {
        LogDirectory.refuseOlderLayout(storage, directory);
        return storage.list(directory).stream()
                .flatMap(LogLayout::topicsOf)
                .sorted()
                .toList();
    }

    private TopicReader open(String name) throws IOException {
        List<String> names = names();
        if (!names.contains(name)) {
            throw new UnknownTopicException(name, names);
        }
        TopicMetadata metadata = TopicMetadata.read(storage, LogLayout.metadataFile(directory, name));
        return TopicReader.open(directory, name, metadata, storage, spec, pollInterval);
    }

    private <T> Mono<T> onReadScheduler(Callable<T> action) {
        return Mono.fromCallable(action)
                .onErrorMap(
                        IOException.class,
                        e -> new UncheckedIOException("cannot read the log in " + directory + ": " + e, e))
                .subscribeOn(spec.readScheduler());
    }
}
