package io.fluxmark.log;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import reactor.util.Logger;
import reactor.util.Loggers;

/** The files of a partition as found on opening, swept of what a crash has left half done. Used on the writer thread. */
final class PartitionDirectory {

    private static final Logger LOG = Loggers.getLogger(PartitionDirectory.class);

    private final List<Segment> segments;
    private final ProducerSnapshots snapshots;

    private PartitionDirectory(List<Segment> segments, ProducerSnapshots snapshots) {
        this.segments = segments;
        this.snapshots = snapshots;
    }

    /**
     * Completes the exchanges of compacted segments, then lists and sweeps: temporary files, segments whose deletion was decided but
     * not finished, index files without a segment.
     *
     * @param startOffset nothing below it belongs to the partition any more
     */
    static PartitionDirectory open(LogStorage storage, Path directory, long startOffset) throws IOException {
        List<Long> bases = new ArrayList<>();
        List<Long> snapshots = new ArrayList<>();
        SegmentSwap.completeAll(storage, directory, startOffset);
        List<String> names = storage.list(directory);
        for (String name : names) {
            if (name.endsWith(SmallFile.TEMPORARY_SUFFIX)) {
                storage.delete(directory.resolve(name));
            }
            addIfSuffix(bases, name, RecordLayout.SEGMENT_SUFFIX);
            addIfSuffix(snapshots, name, ProducerSnapshots.SUFFIX);
        }
        Collections.sort(bases);
        List<Segment> segments = new ArrayList<>();
        for (int i = 0; i < bases.size(); i++) {
            Segment segment = new Segment(directory, bases.get(i));
            if (i + 1 < bases.size() && bases.get(i + 1) <= startOffset) {
                LOG.info("deleting {}, which ends below offset {}", segment.file(), startOffset);
                delete(storage, segment);
            } else {
                segments.add(segment);
            }
        }
        deleteOrphans(storage, directory, names, new HashSet<>(bases));
        return new PartitionDirectory(segments, new ProducerSnapshots(storage, directory, snapshots));
    }

    /** Deletes a segment and its index files. */
    static void delete(LogStorage storage, Segment segment) throws IOException {
        Path interim = segment.interim();
        if (interim != null) {
            storage.delete(interim);
        }
        storage.delete(segment.file());
        storage.delete(segment.sibling(SegmentIndexFiles.OFFSETS));
        storage.delete(segment.sibling(SegmentIndexFiles.TIMES));
    }

    /** In order; the list may be changed. */
    List<Segment> segments() {
        return segments;
    }

    ProducerSnapshots snapshots() {
        return snapshots;
    }

    private static void deleteOrphans(LogStorage storage, Path directory, List<String> names, Set<Long> bases)
            throws IOException {
        for (String name : names) {
            for (String suffix : List.of(SegmentIndexFiles.OFFSETS, SegmentIndexFiles.TIMES)) {
                long base = offsetOf(name, suffix);
                if (base >= 0 && !bases.contains(base)) {
                    storage.delete(directory.resolve(name));
                }
            }
        }
    }

    private static void addIfSuffix(List<Long> offsets, String name, String suffix) {
        long offset = offsetOf(name, suffix);
        if (offset >= 0) {
            offsets.add(offset);
        }
    }

    /** The offset in a name with that suffix, -1 if it is another name. */
    private static long offsetOf(String name, String suffix) {
        return name.endsWith(suffix)
                ? RecordLayout.baseOffsetOf(
                        name.substring(0, name.length() - suffix.length()) + RecordLayout.SEGMENT_SUFFIX)
                : -1;
    }
}
