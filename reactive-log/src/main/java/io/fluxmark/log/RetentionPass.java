package io.fluxmark.log;

import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import reactor.util.Logger;
import reactor.util.Loggers;

/**
 * Deletes what topics need not keep any more. First it is decided where each partition is to begin, then all of that is made durable
 * at once, then files are deleted: a crash in between leaves files that opening sweeps away, never a hole. Runs on the writer thread
 * between groups of appends.
 */
final class RetentionPass {

    private static final Logger LOG = Loggers.getLogger(RetentionPass.class);

    private final LogDirectory directory;
    private final List<TopicLog> all;
    private final LogSpec spec;
    private final SegmentSearch search;
    private final Map<PartitionLog, Long> starts = new LinkedHashMap<>();

    /**
     * @param all every topic of the log
     */
    RetentionPass(LogDirectory directory, List<TopicLog> all, LogSpec spec) {
        this.directory = directory;
        this.all = all;
        this.spec = spec;
        this.search = new SegmentSearch(spec.storage());
    }

    /**
     * Deletes.
     *
     * @param topics whose retention is applied
     * @param floors what is not to be passed
     * @return how many offsets are gone
     */
    long run(List<TopicLog> topics, RetentionFloors floors) throws IOException {
        long now = spec.clock().now(TimeUnit.MILLISECONDS);
        for (TopicLog topic : topics) {
            if (!topic.retention().isForever()) {
                for (PartitionLog partition : topic.partitions()) {
                    decide(partition, topic.retention(), floors.lowestNeeded(partition.id()), now);
                }
            }
        }
        if (starts.isEmpty()) {
            return 0;
        }
        directory.writeBounds(all, starts);
        long deleted = 0;
        for (Map.Entry<PartitionLog, Long> start : starts.entrySet()) {
            PartitionLog partition = start.getKey();
            deleted += start.getValue() - partition.view().segments().beginOffset();
            partition.deleteBefore(start.getValue());
        }
        return deleted;
    }

    private void decide(PartitionLog partition, Retention retention, long floor, long now) {
        try {
            if (!partition.isSound()) {
                LOG.warn(
                        "nothing of {} is deleted before it is repaired",
                        partition.view().name());
                return;
            }
            List<Segment> segments = partition.view().segments().all();
            int count = expired(partition, segments, retention, floor, now);
            if (count == 0) {
                return;
            }
            if (count == segments.size()) {
                // The one being written goes too: an empty one takes its place.
                partition.roll();
            }
            long start = count == segments.size()
                    ? partition.writtenEnd()
                    : segments.get(count).baseOffset();
            partition.keepProducersFrom(start);
            starts.put(partition, start);
        } catch (IOException | RuntimeException e) {
            // One partition that cannot be read must not keep the others from being shortened.
            LOG.warn("cannot tell what of " + partition.view().name() + " is to be deleted; it is tried again", e);
        }
    }

    /** How many segments from the first one on are to go. */
    private int expired(PartitionLog partition, List<Segment> segments, Retention retention, long floor, long now)
            throws IOException {
        long left = 0;
        for (Segment segment : segments) {
            left += partition.bytesOf(segment);
        }
        int count = 0;
        for (Segment segment : segments) {
            boolean last = count == segments.size() - 1;
            long bytes = partition.bytesOf(segment);
            long end = last ? partition.writtenEnd() : segments.get(count + 1).baseOffset();
            boolean empty = last && end == segment.baseOffset();
            Segment following = last ? null : segments.get(count + 1);
            boolean goes = retention.suffices(left - bytes) || isExpired(segment, following, retention, now);
            if (empty || end > floor || !goes) {
                return count;
            }
            left -= bytes;
            count++;
        }
        return count;
    }

    private boolean isExpired(Segment segment, @Nullable Segment following, Retention retention, long now)
            throws IOException {
        if (retention.maxAge().isEmpty()) {
            return false;
        }
        long newest = search.newestTime(segment, following, now);
        return newest != SegmentIndex.NO_TIME && retention.isExpired(newest, now);
    }
}
