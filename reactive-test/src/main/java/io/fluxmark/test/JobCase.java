package io.fluxmark.test;

import io.fluxmark.log.AppendRecord;
import io.fluxmark.log.Durability;
import io.fluxmark.log.LogSpec;
import io.fluxmark.state.StateStore;
import io.fluxmark.state.StoreSpec;
import io.fluxmark.windows.CheckpointSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.reactivestreams.Publisher;

/**
 * A job with its input: what {@link CrashPoints}, {@link DiskFaults} and {@link DuplicateDelivery} run again and again.
 *
 * <pre>{@code
 * JobCase totals = JobCase.of((log, store, spec) -> pipeline(log).writeTo(TransactionalSink.table(store, "totals"), spec))
 *     .input("orders", 2, orders.stream().map(codec::encode).toList())
 *     .showing("totals", store -> TransactionalSink.table(store, "totals", KeyCodec.tagged(), Codec.longs()).rows());
 * }</pre>
 *
 * <p>The job has to be deterministic for one order of records in each partition: lanes by record key, and no early results
 * by the clock. Every step of these tools then compares bytes. Immutable.
 */
public final class JobCase {

    /** The name of the job, for who looks into its store. */
    public static final String JOB = "job-under-test";

    private static final int MOST_RECORDS = 1_000_000;

    /** More than any case takes: all of it is in memory several times. */
    private static final long ROOM = 1L << 30;

    private final JobUnderTest job;
    private final Values values;

    /** The mutable twin that keeps copying in one place. */
    private static final class Values {
        private String topic = "";
        private int partitions = 1;
        private List<AppendRecord> records = List.of();
        private Map<String, Integer> outputs = Map.of();
        private Map<String, Function<StateStore, ? extends Publisher<?>>> shown = Map.of();
        private long eventsPerCommit = 10;
        private int recordsPerAppend = 5;
        private boolean watermarksCompared = true;
        private Durability durability = Durability.SYNC;
        private UnaryOperator<AppendRecord> sent = record -> record;
        private UnaryOperator<LogSpec> log = spec -> spec;
        private UnaryOperator<StoreSpec> store = spec -> spec;

        Values() {}

        Values(Values other) {
            topic = other.topic;
            partitions = other.partitions;
            records = other.records;
            outputs = other.outputs;
            shown = other.shown;
            eventsPerCommit = other.eventsPerCommit;
            recordsPerAppend = other.recordsPerAppend;
            watermarksCompared = other.watermarksCompared;
            durability = other.durability;
            sent = other.sent;
            log = other.log;
            store = other.store;
        }
    }

    private JobCase(JobUnderTest job, Values values) {
        this.job = job;
        this.values = values;
    }

    /** A job without input, committed every 10 events of a lane, its records appended 5 at a time, each append synced. */
    public static JobCase of(JobUnderTest job) {
        return new JobCase(Objects.requireNonNull(job, "job"), new Values());
    }

    /**
     * What the job reads: a topic, made for it, and its records in the order in which one producer appends them. The
     * tools give them sequences, by which the log recognises what is appended again.
     *
     * @param partitions at least 1
     */
    public JobCase input(String topic, int partitions, List<AppendRecord> records) {
        if (records.size() > MOST_RECORDS) {
            throw new IllegalArgumentException("a case has at most " + MOST_RECORDS
                    + " records, for all of it is kept in" + " memory several times, but was given " + records.size());
        }
        Values copy = new Values(values);
        copy.topic = topic;
        copy.partitions = partitions;
        copy.records = List.copyOf(records);
        return new JobCase(job, copy);
    }

    /** A topic that the job writes to, made before it runs. Its records are compared in the end, whatever their order. */
    public JobCase output(String topic, int partitions) {
        Values copy = new Values(values);
        copy.outputs = new LinkedHashMap<>(values.outputs);
        copy.outputs.put(topic, partitions);
        return new JobCase(job, copy);
    }

    /**
     * How results are read back, in the order of the publisher. All tables of the store are compared byte by byte in any
     * case; what is shown is compared first and says what differs in words.
     */
    public JobCase showing(String name, Function<StateStore, ? extends Publisher<?>> results) {
        Values copy = new Values(values);
        copy.shown = new LinkedHashMap<>(values.shown);
        copy.shown.put(name, results);
        return new JobCase(job, copy);
    }

    /** How many events of a lane make a commit, and how many records one append; both at least 1. */
    public JobCase pace(long eventsPerCommit, int recordsPerAppend) {
        if (eventsPerCommit < 1 || recordsPerAppend < 1) {
            throw new IllegalArgumentException("a commit and an append take at least 1 but were told " + eventsPerCommit
                    + ", " + recordsPerAppend);
        }
        Values copy = new Values(values);
        copy.eventsPerCommit = eventsPerCommit;
        copy.recordsPerAppend = recordsPerAppend;
        return new JobCase(job, copy);
    }

    /**
     * Leaves the watermark that a result shows out of the comparison: behind a filter or another window, where not every
     * step of the watermark arrives, it depends on how events fall into runs.
     */
    public JobCase ignoringShownWatermarks() {
        Values copy = new Values(values);
        copy.watermarksCompared = false;
        return new JobCase(job, copy);
    }

    /** When appends are acknowledged; {@link Durability#SYNC} at first. With less, a power cut may take back appends. */
    public JobCase durability(Durability level) {
        Values copy = new Values(values);
        copy.durability = Objects.requireNonNull(level, "level");
        return new JobCase(job, copy);
    }

    /** Changes how log and store are opened; the tools put both on a {@link SimulatedDisk}. */
    public JobCase opening(UnaryOperator<LogSpec> log, UnaryOperator<StoreSpec> store) {
        Values copy = new Values(values);
        copy.log = Objects.requireNonNull(log, "log");
        copy.store = Objects.requireNonNull(store, "store");
        return new JobCase(job, copy);
    }

    /** The same with a store that holds all state and all rows of a commit in memory: no barrier comes early for want of it. */
    JobCase withRoom() {
        Values copy = new Values(values);
        copy.store = spec -> values.store.apply(spec).stateBytes(ROOM);
        return new JobCase(job, copy);
    }

    /** What the producer really sends, for a producer that is broken on purpose. */
    JobCase sending(UnaryOperator<AppendRecord> sent) {
        Values copy = new Values(values);
        copy.sent = sent;
        return new JobCase(job, copy);
    }

    JobUnderTest job() {
        return job;
    }

    String topic() {
        return values.topic;
    }

    int partitions() {
        return values.partitions;
    }

    List<AppendRecord> records() {
        return values.records;
    }

    Map<String, Integer> outputs() {
        return values.outputs;
    }

    Map<String, Function<StateStore, ? extends Publisher<?>>> shown() {
        return values.shown;
    }

    int recordsPerAppend() {
        return values.recordsPerAppend;
    }

    boolean comparesWatermarks() {
        return values.watermarksCompared;
    }

    Durability durability() {
        return values.durability;
    }

    AppendRecord sent(AppendRecord record) {
        return values.sent.apply(record);
    }

    LogSpec log() {
        return values.log.apply(LogSpec.defaults()).durability(values.durability);
    }

    StoreSpec store() {
        return values.store.apply(StoreSpec.defaults());
    }

    /** Barriers only behind so many events: then offsets of commits do not depend on time. */
    CheckpointSpec checkpoints() {
        return CheckpointSpec.everyEvents(values.eventsPerCommit)
                .orEvery(Duration.ofDays(1))
                .named(JOB);
    }

    long eventsPerCommit() {
        return values.eventsPerCommit;
    }

    /** The records, numbered as one producer's. */
    List<AppendRecord> numbered() {
        List<AppendRecord> numbered = new ArrayList<>();
        for (AppendRecord each : values.records) {
            numbered.add(each.withSequence(JobRig.PRODUCER, numbered.size()));
        }
        return numbered;
    }

    @Override
    public String toString() {
        return values.records.size() + " records in " + values.partitions + " partitions, a commit every "
                + values.eventsPerCommit + " events";
    }
}
