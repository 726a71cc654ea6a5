package io.fluxmark.state;

import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/** How a savepoint is taken. Immutable: each method returns a changed copy. */
public final class SavepointSpec {

    private static final String NAME = "[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}";

    private final String name;
    private final Scheduler scheduler;
    private final Function<StoreSnapshot, Mono<Map<String, String>>> notes;
    private final StoreSpec files;
    private final Runnable onStep;

    private SavepointSpec(
            String name,
            Scheduler scheduler,
            Function<StoreSnapshot, Mono<Map<String, String>>> notes,
            StoreSpec files,
            Runnable onStep) {
        this.name = name;
        this.scheduler = scheduler;
        this.notes = notes;
        this.files = files;
        this.onStep = onStep;
    }

    /**
     * A savepoint of a name, which becomes the name of its directory.
     *
     * @param name 1 to 100 letters, digits, dots, dashes and underscores, not beginning with a dot
     */
    public static SavepointSpec named(String name) {
        if (!name.matches(NAME) || name.endsWith(Savepoints.UNFINISHED)) {
            throw new IllegalArgumentException("a savepoint's name matches " + NAME + " and does not end with "
                    + Savepoints.UNFINISHED + " but was '" + name + "'");
        }
        return new SavepointSpec(
                name,
                Schedulers.boundedElastic(),
                snapshot -> Mono.just(Map.of()),
                StoreSpec.defaults().cacheMegabytes(1),
                () -> {});
    }

    /** Where files are read and written, and whose clock dates the savepoint; default {@link Schedulers#boundedElastic()}. */
    public SavepointSpec scheduler(Scheduler scheduler) {
        return new SavepointSpec(name, Objects.requireNonNull(scheduler, "scheduler"), notes, files, onStep);
    }

    /**
     * What to note of the commit in the manifest.
     *
     * @param notes reads the snapshot that is saved, and gives one map of names and texts
     */
    public SavepointSpec noting(Function<StoreSnapshot, Mono<Map<String, String>>> notes) {
        return new SavepointSpec(name, scheduler, Objects.requireNonNull(notes, "notes"), files, onStep);
    }

    /** Replaces the file scheme of the copy, and is told before each further step; for simulated crashes. */
    SavepointSpec crashing(String filePrefix, Runnable newOnStep) {
        return new SavepointSpec(name, scheduler, notes, files.filePrefix(filePrefix), newOnStep);
    }

    String name() {
        return name;
    }

    Scheduler scheduler() {
        return scheduler;
    }

    /** How the copy is written. */
    StoreSpec files() {
        return files;
    }

    /** Something in the savepoint's directory, other than the copy, is about to change. */
    void step() {
        onStep.run();
    }

    Mono<Map<String, String>> notesOf(StoreSnapshot snapshot) {
        return notes.apply(snapshot);
    }
}
