package io.fluxmark.test;

import io.fluxmark.log.LogRecord;
import io.fluxmark.log.Partition;
import io.fluxmark.log.Topic;
import io.fluxmark.sinks.DeadLetter;
import io.fluxmark.sinks.DeadLetterTable;
import io.fluxmark.sinks.FailureTable;
import io.fluxmark.sinks.JobStatus;
import io.fluxmark.sinks.StoredSink;
import io.fluxmark.state.KeyBytes;
import io.fluxmark.state.StoreEntry;
import io.fluxmark.state.StoreTable;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;

/**
 * All that a job has made durable, as text that can be compared and shown.
 *
 * @param lanes what each lane has committed
 * @param rows the tables of results, over all lanes: table and key in hexadecimal, to the value
 */
record StoredJob(List<Lane> lanes, TreeMap<String, String> rows) {

    private static final byte LONGS = 3;

    private static final List<StoreTable> ROWS =
            List.of(StoreTable.ROWS, StoreTable.CHANGELOG, StoreTable.LATE, StoreTable.DEAD, StoreTable.SIDE);

    /** The offset and transaction of a lane: they are compared apart, since numbers of transactions depend on restarts. */
    private static final byte[] POSITION =
            KeyBytes.key().add(LONGS).add("job").add("position").toBytes();

    /** How many rows of outboxes and topics are delivered and removed: that depends on how fast delivery was. */
    private static final List<byte[]> DELIVERY = List.of(ofJob("OUTBOX/"), ofJob("topic/"));

    private static byte[] ofJob(String names) {
        return KeyBytes.key()
                .add(LONGS)
                .add("job")
                .addRaw(names.getBytes(StandardCharsets.UTF_8))
                .toBytes();
    }

    /**
     * One lane.
     *
     * @param offset of the next record
     * @param finished whether it was drained
     * @param time maxima, watermarks and counters by operator
     * @param state the entries of its operators, key to value in hexadecimal
     */
    record Lane(long offset, boolean finished, String time, TreeMap<String, String> state) {

        @Nullable
        String difference(Lane got) {
            if (!time.equals(got.time)) {
                return "watermarks and counters\n  expected " + time + "\n  got      " + got.time;
            }
            return StoredJob.difference("state", state, got.state);
        }
    }

    static StoredJob read(JobRig rig) {
        JobStatus status = JobRig.done(JobStatus.read(rig.store(), JobCase.JOB, rig.topic()));
        List<Lane> lanes = new ArrayList<>();
        for (JobStatus.Lane lane : status.lanes()) {
            String time = "maxima " + new TreeMap<>(lane.maxima()) + ", watermarks " + new TreeMap<>(lane.watermarks())
                    + ", counters " + new TreeMap<>(lane.counters());
            lanes.add(new Lane(lane.nextOffset(), lane.finished(), time, state(rig, lane.lane())));
        }
        return new StoredJob(lanes, rows(rig));
    }

    private static TreeMap<String, String> rows(JobRig rig) {
        TreeMap<String, String> rows = new TreeMap<>();
        for (StoreTable table : ROWS) {
            collect(rig.store().read(table, new byte[0], null))
                    .forEach(entry -> rows.put(table + " " + hex(entry.key()), hex(rig.compared(entry.value()))));
        }
        sinks(rig).forEach(sink -> rows.putAll(deadRows(rig, sink)));
        return rows;
    }

    /** The tables of dead letters. */
    private static List<StoredSink> sinks(JobRig rig) {
        return collect(rig.store().snapshot(snapshot -> io.fluxmark.sinks.StoredJob.all(snapshot)
                .flatMapIterable(io.fluxmark.sinks.StoredJob::sinks)
                .filter(sink -> sink.table() == StoreTable.DEAD)));
    }

    /**
     * What dead letters say that is the same in each run: when a record was appended is not, nor the text of what was
     * thrown, which compiled code may leave out.
     */
    private static Map<String, String> deadRows(JobRig rig, StoredSink sink) {
        Flux<String> texts =
                switch (sink.valueCodec()) {
                    case "dead-letter" ->
                        DeadLetterTable.of(rig.store(), sink.name()).letters().map(StoredJob::text);
                    case "failure" ->
                        FailureTable.of(rig.store(), sink.name())
                                .failures()
                                .map(failure -> failure.operator() + " " + failure.position() + " "
                                        + failure.timestamp() + " " + failure.event());
                    default -> Flux.empty();
                };
        byte[] prefix = KeyBytes.key().add(sink.name()).toBytes();
        List<StoreEntry> entries = collect(rig.store().read(StoreTable.DEAD, prefix, KeyBytes.endOfPrefix(prefix)));
        List<String> told = collect(texts);
        Map<String, String> rows = new TreeMap<>();
        for (int i = 0; i < told.size(); i++) {
            rows.put(StoreTable.DEAD + " " + hex(entries.get(i).key()), told.get(i));
        }
        return rows;
    }

    private static String text(DeadLetter letter) {
        LogRecord record = letter.record();
        return letter.topic() + "-" + record.partition() + " " + record.offset() + " " + text(record.key()) + " = "
                + text(record.value()) + " " + record.headers();
    }

    private static TreeMap<String, String> state(JobRig rig, int lane) {
        TreeMap<String, String> state = new TreeMap<>();
        for (StoreEntry entry : collect(rig.store().readState(JobCase.JOB, lane, new byte[0], null))) {
            if (!Arrays.equals(entry.key(), POSITION) && !isDelivery(entry.key())) {
                state.put(hex(entry.key()), hex(entry.value()));
            }
        }
        return state;
    }

    private static boolean isDelivery(byte[] key) {
        return DELIVERY.stream()
                .anyMatch(prefix ->
                        key.length > prefix.length && Arrays.equals(key, 0, prefix.length, prefix, 0, prefix.length));
    }

    /** What the topics hold that the job writes to, in no order that depends on time. */
    static List<String> outputs(JobRig rig, JobCase job) {
        List<String> records = new ArrayList<>();
        for (Topic topic : rig.log().topics()) {
            if (job.outputs().containsKey(topic.name())) {
                for (Partition partition : topic.partitions()) {
                    for (LogRecord each : collect(partition.readTo(0, partition.endOffset()))) {
                        records.add(topic.name() + "-" + partition.id() + " " + text(each.key()) + " = "
                                + text(each.value()));
                    }
                }
            }
        }
        records.sort(null);
        return records;
    }

    static <V> List<V> collect(Flux<V> values) {
        return JobRig.done(values.collectList());
    }

    static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }

    private static String text(byte @Nullable [] bytes) {
        if (bytes == null) {
            return "nothing";
        }
        StringBuilder text = new StringBuilder();
        for (byte each : bytes) {
            text.append(
                    each >= ' ' && each < 127
                            ? String.valueOf((char) each)
                            : "\\x" + HexFormat.of().toHexDigits(each));
        }
        return text.toString();
    }

    /** The first entry that is not in both alike, in words, or null. */
    static @Nullable String difference(String what, TreeMap<String, String> expected, TreeMap<String, String> got) {
        if (expected.equals(got)) {
            return null;
        }
        TreeMap<String, String> all = new TreeMap<>(expected);
        all.putAll(got);
        for (String key : all.keySet()) {
            String wanted = expected.get(key);
            String found = got.get(key);
            if (wanted == null || !wanted.equals(found)) {
                return what + " of " + expected.size() + " entries, got " + got.size() + "; the first that differs is "
                        + key + shown(key) + "\n  expected " + wanted + "\n  got      " + found;
            }
        }
        return null;
    }

    /** The letters in a key in hexadecimal, for who reads a message. */
    private static String shown(String key) {
        String digits = key.substring(key.indexOf(' ') + 1);
        String letters = text(HexFormat.of().parseHex(digits)).replaceAll("(\\\\x..)+", ".");
        return " (" + letters + ")";
    }
}
