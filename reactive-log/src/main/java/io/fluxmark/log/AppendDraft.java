package io.fluxmark.log;

import java.util.ArrayList;
import java.util.List;

/** Records of one topic, checked, that are to become one request. Not thread-safe. */
final class AppendDraft {

    private final Topic topic;
    private final int maxRecordBytes;
    private final int mostRecords;
    private final long mostBytes;
    private final List<PreparedRecord> records = new ArrayList<>();
    private final List<PartitionLog> targets = new ArrayList<>();
    private long bytes;

    /**
     * @param mostRecords how many records it takes
     * @param mostBytes how many bytes it takes, of several records; a single one may be larger
     */
    AppendDraft(Topic topic, int maxRecordBytes, int mostRecords, long mostBytes) {
        this.topic = topic;
        this.maxRecordBytes = maxRecordBytes;
        this.mostRecords = mostRecords;
        this.mostBytes = mostBytes;
    }

    /**
     * Adds a record, or throws and leaves what there is as it was.
     *
     * @param index how a message about the record calls it
     * @return false, and it is not added, where it does not go with the others
     */
    boolean add(AppendRecord record, int index) {
        if (records.size() == mostRecords) {
            return false;
        }
        PreparedRecord prepared = new PreparedRecord(record);
        if (prepared.bytes() > maxRecordBytes) {
            throw new RecordTooLargeException(prepared.bytes(), maxRecordBytes, index);
        }
        PartitionLog target = topic.target(record);
        if (!records.isEmpty() && bytes + prepared.bytes() > mostBytes) {
            return false;
        }
        targets.add(target);
        records.add(prepared);
        bytes += prepared.bytes();
        return true;
    }

    boolean isEmpty() {
        return records.isEmpty();
    }

    long bytes() {
        return bytes;
    }

    AppendRequest toRequest(AppendRequest.Answer answer) {
        return new AppendRequest(records, targets, bytes, answer);
    }
}
