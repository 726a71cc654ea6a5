package io.fluxmark.log;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import reactor.util.Logger;
import reactor.util.Loggers;

/**
 * Puts a compacted segment in the place of those it was made of. A crash at any point leaves the old ones or the new one:
 *
 * <ol>
 *   <li>The temporary file is renamed to {@code BASE-END.swap}, durably. From then on it counts, and opening the log does the rest.
 *   <li>The segments that begin between BASE and END are deleted, durably.
 *   <li>It is renamed to {@code BASE.log}, which replaces the first of them.
 * </ol>
 *
 * <p>Readers that have an old file open read it to its end; others are sent to the new one. Runs on the writer thread.
 */
final class SegmentSwap {

    private static final Logger LOG = Loggers.getLogger(SegmentSwap.class);

    private static final String SUFFIX = ".swap";
    private static final Pattern NAME = Pattern.compile("(\\d{20})-(\\d{20})\\.swap");

    private final LogStorage storage;
    private final Path directory;
    private final long base;
    private final long end;
    private final Path swap;

    SegmentSwap(LogStorage storage, Path directory, long base, long end) {
        this.storage = storage;
        this.directory = directory;
        this.base = base;
        this.end = end;
        this.swap = directory.resolve(String.format("%020d-%020d%s", base, end, SUFFIX));
    }

    /**
     * Exchanges.
     *
     * @return the new segment, null with nothing done if the old ones are not all there any more
     * @throws IOException if it is not certain what is on the disk now; opening the log makes it so
     */
    static @Nullable Segment install(LogStorage storage, SegmentList list, CleanedSegments cleaned) throws IOException {
        Path directory = Objects.requireNonNull(cleaned.temporary().getParent());
        SegmentSwap exchange = new SegmentSwap(storage, directory, cleaned.baseOffset(), cleaned.endOffset());
        List<Segment> old = cleaned.segments();
        if (!list.all().containsAll(old)) {
            return null;
        }
        storage.rename(cleaned.temporary(), exchange.swap);
        storage.forceDirectory(directory);
        Segment segment = new Segment(
                directory, cleaned.baseOffset(), exchange.swap, cleaned.index(), cleaned.bytes(), cleaned.endOffset());
        list.replace(old, segment);
        for (Segment each : old.subList(1, old.size())) {
            PartitionDirectory.delete(storage, each);
        }
        exchange.takeTheName();
        segment.settle();
        new SegmentIndexFiles(storage).write(segment, cleaned.index());
        segment.seal(cleaned.bytes(), cleaned.endOffset());
        return segment;
    }

    /** The segments of those names in order, as they are when exchanges that have begun are done: whoever does not do them reads so. */
    static List<Segment> list(Path directory, List<String> names) {
        TreeMap<Long, Segment> segments = new TreeMap<>();
        for (String name : names) {
            long base = RecordLayout.baseOffsetOf(name);
            if (base >= 0) {
                segments.put(base, new Segment(directory, base));
            }
        }
        for (String name : names) {
            Matcher matcher = NAME.matcher(name);
            if (matcher.matches()) {
                long base = Long.parseLong(matcher.group(1));
                long end = Long.parseLong(matcher.group(2));
                segments.subMap(base, end).clear();
                segments.put(
                        base, new Segment(directory, base, directory.resolve(name), new SegmentIndex(base), -1, end));
            }
        }
        return List.copyOf(segments.values());
    }

    /**
     * Does the rest of exchanges that a crash has interrupted.
     *
     * @param startOffset nothing below it belongs to the partition any more
     */
    static void completeAll(LogStorage storage, Path directory, long startOffset) throws IOException {
        List<String> names = storage.list(directory);
        for (String name : names) {
            Matcher matcher = NAME.matcher(name);
            if (!matcher.matches()) {
                continue;
            }
            long base = Long.parseLong(matcher.group(1));
            if (base < startOffset) {
                // Retention went on with the old segments, or was to delete the new one.
                storage.delete(directory.resolve(name));
            } else {
                new SegmentSwap(storage, directory, base, Long.parseLong(matcher.group(2))).complete(names);
            }
        }
    }

    private void complete(List<String> names) throws IOException {
        LOG.info("completing the compaction of offsets {} to {} in {}", base, end, directory);
        for (String name : names) {
            long old = RecordLayout.baseOffsetOf(name);
            if (old > base && old < end) {
                PartitionDirectory.delete(storage, new Segment(directory, old));
            }
        }
        takeTheName();
    }

    private void takeTheName() throws IOException {
        // The old index files speak of a file that is about to go.
        Segment named = new Segment(directory, base);
        storage.delete(named.sibling(SegmentIndexFiles.OFFSETS));
        storage.delete(named.sibling(SegmentIndexFiles.TIMES));
        storage.forceDirectory(directory);
        storage.rename(swap, named.file());
        storage.forceDirectory(directory);
    }
}
