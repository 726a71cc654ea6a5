package io.fluxmark.state;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * A complete copy of a store as of one commit, as its manifest describes it. Immutable; the files are not to be changed.
 *
 * @param directory where it lies; its last part is the savepoint's name
 * @param taken when it was taken, epoch ms of the clock of its {@link SavepointSpec}
 * @param commit the number of the store's commit
 * @param lanes every lane of the store, by job and number
 * @param entries how many entries it has, by table in lower case
 * @param checksum over all of its contents, 64 hexadecimal digits; compared at a restore
 * @param notes what was noted of the commit when it was taken ({@link SavepointSpec#noting})
 */
public record Savepoint(
        Path directory,
        long taken,
        long commit,
        List<Lane> lanes,
        Map<String, Long> entries,
        String checksum,
        Map<String, String> notes) {

    /** Copies the collections. */
    public Savepoint {
        Objects.requireNonNull(directory, "directory");
        Objects.requireNonNull(checksum, "checksum");
        lanes = List.copyOf(lanes);
        entries = Map.copyOf(entries);
        notes = Map.copyOf(notes);
    }

    /**
     * A lane in it.
     *
     * @param job the job's name
     * @param lane the lane's number within the job
     * @param transaction id of the lane's newest transaction in it, 0 if none
     */
    public record Lane(String job, int lane, long transaction) {}

    /** The name it was taken under. */
    public String name() {
        return String.valueOf(directory.getFileName());
    }
}
