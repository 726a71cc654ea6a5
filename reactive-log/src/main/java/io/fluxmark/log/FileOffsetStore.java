package io.fluxmark.log;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * The offsets of groups in files of the log. Files are written one at a time, on the read scheduler, so that appends do not wait for
 * them; after {@link #close} none is, since the log's lock is free then.
 */
final class FileOffsetStore implements OffsetStore {

    private final OffsetsFiles files;
    private final Scheduler scheduler;
    private final String log;
    private boolean closed;

    FileOffsetStore(LogStorage storage, Path log, Scheduler scheduler) {
        this.files = new OffsetsFiles(storage, log);
        this.scheduler = scheduler;
        this.log = log.toString();
    }

    @Override
    public Flux<String> groups() {
        return Flux.defer(() -> Flux.fromIterable(files.groups())).subscribeOn(scheduler);
    }

    @Override
    public Mono<GroupOffsets> load(String group) {
        return Flux.defer(() -> Flux.fromIterable(files.readIfThere(group)))
                .next()
                .subscribeOn(scheduler);
    }

    @Override
    public Mono<Void> commit(GroupOffsets changes) {
        return later(() -> commitNow(changes));
    }

    @Override
    public Mono<Void> remove(String group) {
        return later(() -> removeNow(group));
    }

    List<String> groupsNow() {
        return files.groups();
    }

    @Nullable
    GroupOffsets loadNow(String group) throws IOException {
        return files.read(group);
    }

    synchronized void commitNow(GroupOffsets changes) throws IOException {
        requireOpen();
        GroupOffsets before = files.read(changes.group());
        files.write(before == null ? changes : before.with(changes));
    }

    private synchronized void removeNow(String group) throws IOException {
        requireOpen();
        files.delete(group);
    }

    /** Waits for a write that is under way. */
    synchronized void close() {
        closed = true;
    }

    private void requireOpen() {
        if (closed) {
            throw new LogClosedException(log);
        }
    }

    private Mono<Void> later(IoAction action) {
        return Mono.<Void>fromRunnable(() -> {
                    try {
                        action.run();
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                })
                .subscribeOn(scheduler);
    }

    private interface IoAction {
        void run() throws IOException;
    }
}
