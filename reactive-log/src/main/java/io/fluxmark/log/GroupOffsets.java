package io.fluxmark.log;

import java.nio.file.Path;
import java.util.Collections;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Schedulers;

/**
 * How far a group of consumers has come.
 *
 * @param group its name
 * @param generation the largest generation that committed
 * @param offsets of each partition the offset of the first record that is not finished
 */
public record GroupOffsets(String group, long generation, SortedMap<PartitionId, Long> offsets) {

    public GroupOffsets {
        Objects.requireNonNull(group, "group");
        offsets = Collections.unmodifiableSortedMap(new TreeMap<>(offsets));
    }

    static GroupOffsets none(String group) {
        return new GroupOffsets(group, 0, new TreeMap<>());
    }

    /**
     * Reads what the groups of a log have committed, without opening the log and without joining: also while another process has it
     * open, since each file is replaced as a whole. Groups with an {@link OffsetStore} of their own are not among them.
     *
     * @param directory the log's directory
     * @return in order of names, read at each subscription on {@link Schedulers#boundedElastic()}; empty if there are none. Errors
     *     with {@link java.io.UncheckedIOException} at a file that cannot be read or is damaged
     */
    public static Flux<GroupOffsets> read(Path directory) {
        Objects.requireNonNull(directory, "directory");
        OffsetsFiles files = new OffsetsFiles(LogStorage.files(), directory.toAbsolutePath());
        return Flux.defer(() -> Flux.fromIterable(files.groups()))
                .concatMapIterable(files::readIfThere)
                .subscribeOn(Schedulers.boundedElastic());
    }

    /** With other offsets put over these. */
    GroupOffsets with(GroupOffsets changes) {
        TreeMap<PartitionId, Long> merged = new TreeMap<>(offsets);
        merged.putAll(changes.offsets);
        return new GroupOffsets(group, Math.max(generation, changes.generation), merged);
    }
}
