package io.fluxmark.log;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The records of one group for one partition, placed but not yet written. A request that turns out to be refused is taken back to
 * the mark set before it. Confined to the writer thread.
 */
final class PartitionStage {

    private final PartitionLog partition;
    private final long firstOffset;
    private final List<PreparedRecord> records = new ArrayList<>();
    private final Map<String, SequenceRun> staged = new HashMap<>();
    private int mark;

    PartitionStage(PartitionLog partition) {
        this.partition = partition;
        this.firstOffset = partition.writtenEnd();
    }

    PartitionLog partition() {
        return partition;
    }

    List<PreparedRecord> records() {
        return records;
    }

    void mark() {
        mark = records.size();
    }

    void takeBackToMark() {
        while (records.size() > mark) {
            ProducerSequence sequence = records.remove(records.size() - 1).sequence();
            SequenceRun run = sequence == null ? null : staged.get(sequence.producer());
            if (run != null) {
                run.removeLast();
            }
        }
    }

    /**
     * Places one record of a request: behind the others, or where its sequence already is.
     *
     * @throws OutOfOrderSequenceException if the sequence was passed over
     * @throws CorruptSegmentException if what is lost may hold the sequence
     */
    void place(AppendRequest request, int index) throws IOException {
        PreparedRecord record = request.record(index);
        ProducerSequence sequence = record.sequence();
        if (sequence != null) {
            CorruptSegmentException unjudged = partition.unjudged();
            if (unjudged != null) {
                // Neither answer would be honest.
                throw unjudged;
            }
            long earlier = earlierOffset(sequence);
            if (earlier != ProducerHistory.NOT_STORED) {
                request.place(index, earlier, true);
                return;
            }
        }
        long offset = firstOffset + records.size();
        records.add(record);
        if (sequence != null) {
            staged.computeIfAbsent(sequence.producer(), name -> new SequenceRun())
                    .add(sequence.sequence(), offset);
        }
        request.place(index, offset, false);
    }

    /** Tells the registry which of the records are stored, now that they have been published. */
    void noteStored() {
        if (staged.isEmpty()) {
            return;
        }
        long written = partition.view().tail().offset() - firstOffset;
        for (int i = 0; i < written; i++) {
            ProducerSequence sequence = records.get(i).sequence();
            if (sequence != null) {
                partition.producers().add(sequence.producer(), sequence.sequence(), firstOffset + i);
            }
        }
    }

    private long earlierOffset(ProducerSequence sequence) throws IOException {
        long wanted = sequence.sequence();
        long highest = partition.producers().highest(sequence.producer());
        long offset = ProducerHistory.NOT_STORED;
        SequenceRun run = staged.get(sequence.producer());
        if (run != null && run.size() > 0 && wanted > highest) {
            highest = run.lastSequence();
            offset = run.offsetOf(wanted);
        } else if (wanted <= highest) {
            long begin = partition.view().segments().beginOffset();
            offset = partition.producers().offsetOf(sequence, begin, partition::cursor);
        }
        if (wanted > highest) {
            return ProducerHistory.NOT_STORED;
        }
        if (offset == ProducerHistory.DELETED) {
            throw OutOfOrderSequenceException.deleted(partition.view().name(), sequence, highest);
        }
        if (offset == ProducerHistory.NOT_STORED) {
            throw new OutOfOrderSequenceException(partition.view().name(), sequence, highest);
        }
        return offset;
    }
}
