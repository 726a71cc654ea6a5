package io.fluxmark.log;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** Gives up what is damaged in a log that nobody has open. Runs on a writer thread. */
final class LogRepair {

    private LogRepair() {}

    /**
     * Recovers the log as opening does, then replaces each damaged segment.
     *
     * @param repairs of which topics
     */
    static List<LostRange> run(Path path, LogSpec spec, Predicate<String> repairs) throws IOException {
        List<LostRange> lost = new ArrayList<>();
        try (LogDirectory directory = LogDirectory.open(path, spec)) {
            List<TopicLog> topics = directory.recoverTopics();
            for (TopicLog topic : topics) {
                for (PartitionLog partition : topic.partitions()) {
                    partition.close();
                    if (repairs.test(topic.name())) {
                        repair(partition, spec.storage(), lost);
                    }
                }
            }
            directory.writeBounds(topics);
        }
        return lost;
    }

    private static void repair(PartitionLog partition, LogStorage storage, List<LostRange> lost) throws IOException {
        Tail tail = partition.view().tail();
        for (Segment segment : partition.view().segments().all()) {
            boolean last = segment.baseOffset() == tail.segmentBase();
            SegmentRepair repair = new SegmentRepair(
                    storage,
                    segment,
                    last ? tail.position() : segment.sealedBytes(),
                    last ? tail.offset() : segment.endOffset());
            for (SegmentRepair.Range range : repair.repair()) {
                lost.add(new LostRange(
                        partition.view().topic(), partition.view().id(), segment.file(), range.from(), range.until()));
            }
        }
    }
}
