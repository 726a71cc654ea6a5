package io.fluxmark.sinks;

import io.fluxmark.state.LaneTransaction;
import io.fluxmark.state.StateStore;
import io.fluxmark.state.StoreTable;
import io.fluxmark.windows.Codec;
import io.fluxmark.windows.LaneContext;
import io.fluxmark.windows.LateEvent;
import io.fluxmark.windows.LateSink;
import io.fluxmark.windows.StateTransaction;
import io.fluxmark.windows.TimeWindow;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import reactor.core.publisher.Flux;

/**
 * Late events as rows of the job's own transaction: each stands here exactly once, and the count of side events at a commit
 * is the number of rows at that commit. Give it to {@code lateTo}.
 *
 * <pre>
 * byte   version (1)
 * long   timestamp, watermark
 * int    number of windows; start and end of each, two longs
 * bytes  the event
 * </pre>
 */
public final class LateTable<T> extends LateSink<T> {

    private static final byte VERSION = 1;
    private static final int FIXED = 1 + 2 * Long.BYTES + Integer.BYTES;
    private static final int WINDOW = 2 * Long.BYTES;

    private final StateStore store;
    private final String name;
    private final Codec<T> codec;

    private LateTable(StateStore store, String name, Codec<T> codec) {
        this.store = store;
        this.name = name;
        this.codec = codec;
    }

    /** A table of late events in the store of the job that it is used in. */
    public static <T> LateTable<T> of(StateStore store, String name, Codec<T> codec) {
        return new LateTable<>(store, RowNames.checked(name), codec);
    }

    /** The late events of one committed moment, in order per lane. Cold; reads what is requested. */
    public Flux<LateEvent<T>> events() {
        return store.read(StoreTable.LATE, RowNames.prefix(name), RowNames.end(name))
                .map(entry -> decode(entry.value()));
    }

    @Override
    public Output<T> open(LaneContext context) {
        JobLane lane = JobLane.of(context);
        lane.requireStore(store, "late table " + name);
        lane.claim("late table " + name);
        NumberedRows rows = new NumberedRows(new StoredSink(StoreTable.LATE, name, "", codec.id()), lane);
        return new Output<>() {
            @Override
            public void accept(LateEvent<T> event) {
                rows.add(encode(event));
            }

            @Override
            public void flush(StateTransaction transaction) {
                rows.flush((LaneTransaction) transaction);
            }
        };
    }

    private byte[] encode(LateEvent<T> event) {
        byte[] value = codec.encode(event.value());
        ByteBuffer out = ByteBuffer.allocate(FIXED + event.windows().size() * WINDOW + value.length)
                .put(VERSION)
                .putLong(event.timestamp())
                .putLong(event.watermark())
                .putInt(event.windows().size());
        for (TimeWindow window : event.windows()) {
            out.putLong(window.start()).putLong(window.end());
        }
        return out.put(value).array();
    }

    /** A row as far as it follows from the event alone, and not from where runs of events fall. */
    static byte[] withoutWatermark(byte[] row) {
        if (row.length < FIXED) {
            return row;
        }
        byte[] rest = Arrays.copyOf(row, row.length - Long.BYTES);
        int after = 1 + 2 * Long.BYTES;
        System.arraycopy(row, after, rest, after - Long.BYTES, row.length - after);
        return rest;
    }

    private LateEvent<T> decode(byte[] row) {
        if (row.length < FIXED || row[0] != VERSION) {
            throw new IllegalStateException(
                    "a row of " + row.length + " bytes is not a late event of version " + VERSION);
        }
        ByteBuffer in = ByteBuffer.wrap(row, 1, row.length - 1);
        long timestamp = in.getLong();
        long watermark = in.getLong();
        int count = in.getInt();
        List<TimeWindow> windows = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            windows.add(new TimeWindow(in.getLong(), in.getLong()));
        }
        byte[] value = new byte[in.remaining()];
        in.get(value);
        return new LateEvent<>(codec.decode(value), timestamp, watermark, windows);
    }
}
