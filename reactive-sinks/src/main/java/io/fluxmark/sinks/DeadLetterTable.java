package io.fluxmark.sinks;

import io.fluxmark.log.LogRecord;
import io.fluxmark.state.LaneTransaction;
import io.fluxmark.state.StateStore;
import io.fluxmark.state.StoreTable;
import io.fluxmark.windows.InvalidEvent;
import io.fluxmark.windows.InvalidSink;
import io.fluxmark.windows.LaneContext;
import io.fluxmark.windows.StateTransaction;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;

/**
 * The records that a job could not use, as rows of its own transaction: each stands here exactly once, and the count of
 * rejected events at a commit is the number of rows at that commit. Give it to {@link LogSource#invalidTo(InvalidSink)}.
 *
 * <pre>
 * byte    version (1)
 * string  topic; int partition; long offset, append time
 * bytes   key, value
 * int     number of headers; string name and bytes value of each
 * string  reason, cause
 * </pre>
 */
public final class DeadLetterTable extends InvalidSink {

    /** What its rows are, in {@link StoredSink}. */
    static final String KIND = "dead-letter";

    private static final byte VERSION = 1;

    private final StateStore store;
    private final String name;

    /** Where the records are from; null for the only topic of a job. */
    private final @Nullable String topic;

    private DeadLetterTable(StateStore store, String name, @Nullable String topic) {
        this.store = store;
        this.name = name;
        this.topic = topic;
    }

    /** A table in the store of the job that it is used in. A name belongs to one job. */
    public static DeadLetterTable of(StateStore store, String name) {
        return new DeadLetterTable(store, RowNames.checked(name), null);
    }

    /** The same table for records of a topic. */
    DeadLetterTable ofTopic(String ofRecords) {
        return new DeadLetterTable(store, name, ofRecords);
    }

    /** The dead letters of one committed moment, in order per lane. Cold; reads what is requested. */
    public Flux<DeadLetter> letters() {
        return store.read(StoreTable.DEAD, RowNames.prefix(name), RowNames.end(name))
                .map(entry -> decode(entry.value()));
    }

    @Override
    public Output open(LaneContext context) {
        Writer writer = writer(JobLane.of(context));
        return new Output() {
            @Override
            public void accept(InvalidEvent event, Object source) {
                writer.add((LogRecord) source, event.reason(), event.cause());
            }

            @Override
            public void flush(StateTransaction transaction) {
                writer.flush((LaneTransaction) transaction);
            }
        };
    }

    /** The writer of one lane. */
    Writer writer(JobLane lane) {
        lane.requireStore(store, "dead letter table " + name);
        lane.claim("dead letter table " + name);
        return new Writer(
                new NumberedRows(new StoredSink(StoreTable.DEAD, name, "", KIND), lane),
                topic == null ? lane.job().topic().name() : topic);
    }

    /** The dead letters of one lane between two barriers. Confined to the lane. */
    static final class Writer {

        private final NumberedRows rows;
        private final String topic;

        Writer(NumberedRows rows, String topic) {
            this.rows = rows;
            this.topic = topic;
        }

        void add(LogRecord record, String reason, @Nullable Throwable cause) {
            rows.add(encode(new DeadLetter(topic, record, DeadLetter.shortened(reason), DeadLetter.describe(cause))));
        }

        void flush(LaneTransaction transaction) {
            rows.flush(transaction);
        }
    }

    static byte[] encode(DeadLetter letter) {
        LogRecord record = letter.record();
        return new RowFields.Writer(VERSION)
                .add(letter.topic())
                .add(record.partition())
                .add(record.offset())
                .add(record.appendTime())
                .add(record.key())
                .add(record.value())
                .add(record.headers())
                .add(letter.reason())
                .add(letter.cause())
                .toBytes();
    }

    /** What of a row follows from the record: not when it was appended, nor how this JVM says what is wrong with it. */
    static byte[] ofRecord(byte[] row) {
        RowFields.Reader in = new RowFields.Reader("a dead letter", VERSION, row);
        in.readText();
        in.readInt();
        in.readLong();
        int place = row.length - in.remaining();
        in.readLong();
        in.readBytes();
        in.readBytes();
        in.readHeaders();
        int end = row.length - in.remaining();
        byte[] kept = Arrays.copyOf(row, end - Long.BYTES);
        System.arraycopy(row, place + Long.BYTES, kept, place, kept.length - place);
        return kept;
    }

    @SuppressWarnings("NullAway") // class files do not say which parameters of a record may be null
    private static DeadLetter decode(byte[] row) {
        RowFields.Reader in = new RowFields.Reader("a dead letter", VERSION, row);
        String topic = in.readText();
        int partition = in.readInt();
        long offset = in.readLong();
        long appendTime = in.readLong();
        byte[] key = in.readBytes();
        byte[] value = in.readBytes();
        LogRecord record = new LogRecord(partition, offset, appendTime, key, value, in.readHeaders());
        return new DeadLetter(topic, record, in.readText(), in.readString());
    }
}
