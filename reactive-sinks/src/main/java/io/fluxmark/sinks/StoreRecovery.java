package io.fluxmark.sinks;

import io.fluxmark.log.Partition;
import io.fluxmark.log.Topic;
import io.fluxmark.sinks.RecoveredStore.Origin;
import io.fluxmark.state.StateStore;
import io.fluxmark.state.StateStoreException;
import io.fluxmark.state.StoreClosedException;
import io.fluxmark.state.StoreFormatException;
import io.fluxmark.state.StoreLockedException;
import io.fluxmark.state.StoreSpec;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * Opens a store, and brings it back if its file is damaged: the file is set aside under another name and kept, and
 *
 * <ol>
 *   <li>if the log still has everything that the jobs have ever read, the store begins empty, and the jobs rebuild it;
 *   <li>else the newest savepoint takes its place, if the log still has all that follows it;
 *   <li>else nothing is done, and the error names the offsets that do not meet.
 * </ol>
 *
 * <p>A log that retention has shortened, or a topic that keeps the last record of each key, is not enough for the first: from it
 * jobs would make other results than they had. What the jobs have sent out of the store is sent again as they
 * read again.
 *
 * <p>Only damage is treated so. A store that is held by another process, has another format, or can't be read because of
 * permissions, a failing disk or too little memory, is left alone, and opening errors as {@link StateStore#open} does.
 * Immutable: each method returns a changed copy.
 */
public final class StoreRecovery {

    /** A job that has state in the store. */
    private record Reader(String job, JobTopics topics) {}

    private final Path directory;
    private final StoreSpec spec;
    private final List<Reader> jobs;
    private final boolean verifies;
    private final @Nullable SavepointSource savepoints;

    private StoreRecovery(
            Path directory, StoreSpec spec, List<Reader> jobs, boolean verifies, @Nullable SavepointSource savepoints) {
        this.directory = directory;
        this.spec = spec;
        this.jobs = List.copyOf(jobs);
        this.verifies = verifies;
        this.savepoints = savepoints;
    }

    /** Of the store in a directory. */
    public static StoreRecovery of(Path directory, StoreSpec spec) {
        return new StoreRecovery(
                Objects.requireNonNull(directory, "directory"),
                Objects.requireNonNull(spec, "spec"),
                List.of(),
                false,
                null);
    }

    /** A job that has state in the store, and the topic that it reads. All of them have to be named. */
    public StoreRecovery job(String name, Topic topic) {
        return job(name, JobTopics.of(topic));
    }

    /** The same of a job that joins two topics. */
    public StoreRecovery job(String name, Topic left, Topic right) {
        return job(name, JobTopics.of(left, right));
    }

    private StoreRecovery job(String name, JobTopics topics) {
        List<Reader> more = new ArrayList<>(jobs);
        more.add(new Reader(Objects.requireNonNull(name, "name"), topics));
        return new StoreRecovery(directory, spec, more, verifies, savepoints);
    }

    /** Also reads every entry of a store that opens, and takes one whose checksum is wrong for damage. */
    public StoreRecovery verifying() {
        return new StoreRecovery(directory, spec, jobs, true, savepoints);
    }

    /** Where there are savepoints. */
    public StoreRecovery savepoints(SavepointSource source) {
        return new StoreRecovery(directory, spec, jobs, verifies, Objects.requireNonNull(source, "source"));
    }

    /**
     * Opens the store when subscribed. Errors with {@link StoreUnrecoverableException} if it is damaged and can't be
     * brought back, or if a job stands in front of the begin or behind the end of its log; else as {@link StateStore#open}.
     */
    public Mono<RecoveredStore> open() {
        if (jobs.isEmpty()) {
            throw new IllegalStateException(
                    "a store is recovered for the jobs that have state in it: name each with StoreRecovery.job");
        }
        return StateStore.open(directory, spec)
                .flatMap(store -> verified(store)
                        .then(positionsMeet(store, "the store"))
                        .thenReturn(new RecoveredStore(store, Origin.OWN_FILE, null))
                        .onErrorResume(failure -> closed(store).then(Mono.error(failure))))
                .onErrorResume(StoreRecovery::isDamage, this::recover);
    }

    private Mono<Void> verified(StateStore store) {
        return verifies ? StoreReading.everything(store).then() : Mono.empty();
    }

    private Mono<RecoveredStore> recover(Throwable damage) {
        String missing = missingForRebuild();
        if (missing == null) {
            return StateStore.setAside(directory, spec).flatMap(aside -> StateStore.open(directory, spec)
                    .map(store -> new RecoveredStore(store, Origin.EMPTY, aside)));
        }
        SavepointSource source = savepoints;
        if (source == null) {
            return Mono.error(unrecoverable(missing + ", and no savepoints are given", damage));
        }
        return StateStore.setAside(directory, spec).flatMap(aside -> source.restoreNewest(directory)
                .flatMap(found -> found
                        ? openSavepoint(aside, damage)
                        : Mono.error(unrecoverable(
                                missing + ", and there is no savepoint; the damaged file is now " + aside, damage))));
    }

    private Mono<RecoveredStore> openSavepoint(Path aside, Throwable damage) {
        return StateStore.open(directory, spec).flatMap(store -> positionsMeet(store, "the newest savepoint")
                .thenReturn(new RecoveredStore(store, Origin.SAVEPOINT, aside))
                .onErrorResume(failure -> {
                    failure.addSuppressed(damage);
                    // Out of the way again: whoever opens the directory without us must not go on from it.
                    return closed(store)
                            .then(StateStore.setAside(directory, spec))
                            .then(Mono.error(failure));
                }));
    }

    /** What of the logs is not there any more, in words; null if all is. */
    private @Nullable String missingForRebuild() {
        for (Reader reader : jobs) {
            for (Topic topic : reader.topics().topics()) {
                String missing = missingForRebuild(reader.job(), topic);
                if (missing != null) {
                    return missing;
                }
            }
        }
        return null;
    }

    private static @Nullable String missingForRebuild(String job, Topic topic) {
        if (topic.compaction().isByKey()) {
            return "job " + job + " has to read all records of topic " + topic.name()
                    + " again, which keeps only the last one of each key";
        }
        for (Partition partition : topic.partitions()) {
            if (partition.beginOffset() > 0) {
                return "job " + job + " has to read partition " + partition.id() + " of " + topic.name()
                        + " from offset 0 again, and the log begins at offset " + partition.beginOffset();
            }
        }
        return null;
    }

    /** Errors if a job would have to go on where its log has nothing. */
    private Mono<Void> positionsMeet(StateStore store, String which) {
        return Flux.fromIterable(jobs)
                .concatMap(reader -> JobStatus.read(store, reader.job(), reader.topics())
                        .doOnNext(status -> status.lanes().forEach(lane -> lane.positions()
                                .forEach(position -> checkMeets(which, reader, position)))))
                .then();
    }

    private void checkMeets(String which, Reader reader, JobStatus.Position position) {
        Partition partition = reader.topics().partition(reader.job(), position.partition());
        long committed = position.nextOffset();
        if (committed < partition.beginOffset() || committed > partition.endOffset()) {
            throw new StoreUnrecoverableException(
                    "job " + reader.job() + " goes on at offset " + committed + " of partition " + partition.id()
                            + " of " + partition.topic() + " according to " + which + " in " + directory
                            + ", and the log has offsets " + partition.beginOffset() + " to " + partition.endOffset()
                            + ": restore the log or a savepoint that fits it, or run the job under a new name in a new"
                            + " directory",
                    null);
        }
    }

    private StoreUnrecoverableException unrecoverable(String why, Throwable damage) {
        return new StoreUnrecoverableException(
                "the store in " + directory + " is damaged and cannot be rebuilt: " + why
                        + "; restore a savepoint that the log still follows, or run the jobs under new names in a new"
                        + " directory",
                damage);
    }

    private static Mono<Void> closed(StateStore store) {
        return Mono.<Void>fromRunnable(store::close).subscribeOn(Schedulers.boundedElastic());
    }

    private static boolean isDamage(Throwable failure) {
        if (failure instanceof StoreLockedException
                || failure instanceof StoreFormatException
                || failure instanceof StoreClosedException
                || failure instanceof StoreUnrecoverableException) {
            return false;
        }
        for (@Nullable Throwable cause = failure; cause != null; cause = cause.getCause()) {
            boolean endsEarly = cause instanceof EOFException;
            if (cause instanceof VirtualMachineError || (cause instanceof IOException && !endsEarly)) {
                return false;
            }
        }
        return failure instanceof StateStoreException;
    }
}
