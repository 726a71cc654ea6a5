package io.fluxmark.sinks;

import io.fluxmark.state.LaneTransaction;
import io.fluxmark.state.StateStore;
import io.fluxmark.state.StoreTable;
import io.fluxmark.windows.Codec;
import io.fluxmark.windows.LaneContext;
import io.fluxmark.windows.SideSink;
import io.fluxmark.windows.StateTransaction;
import java.util.Objects;
import reactor.core.publisher.Flux;

/**
 * Events that were taken out of the stream, as rows of the job's own transaction: each stands here exactly once. Give it to
 * {@code divert}.
 *
 * <pre>
 * byte   version (1)
 * long   timestamp
 * int    sign
 * bytes  the event
 * </pre>
 */
public final class SideTable<T> extends SideSink<T> {

    private static final byte VERSION = 1;

    /**
     * An event as it was taken out.
     *
     * @param timestamp its time, epoch ms; {@link Long#MIN_VALUE} where it had none
     * @param sign 1, or -1 where it takes an earlier one back
     */
    public record Row<T>(T value, long timestamp, int sign) {}

    private final StateStore store;
    private final String name;
    private final Codec<T> codec;

    private SideTable(StateStore store, String name, Codec<T> codec) {
        this.store = store;
        this.name = name;
        this.codec = codec;
    }

    /** A table in the store of the job that it is used in. A name belongs to one job. */
    public static <T> SideTable<T> of(StateStore store, String name, Codec<T> codec) {
        return new SideTable<>(store, RowNames.checked(name), Objects.requireNonNull(codec, "codec"));
    }

    /** The events of one committed moment, in order per lane. Cold; reads what is requested. */
    public Flux<Row<T>> rows() {
        return store.read(StoreTable.SIDE, RowNames.prefix(name), RowNames.end(name))
                .map(entry -> decode(entry.value()));
    }

    @Override
    public Output<T> open(LaneContext context) {
        JobLane lane = JobLane.of(context);
        lane.requireStore(store, "side table " + name);
        NumberedRows rows = new NumberedRows(new StoredSink(StoreTable.SIDE, name, "", codec.id()), lane);
        return new Output<>() {
            @Override
            public void accept(T value, long timestamp, int sign) {
                rows.add(new RowFields.Writer(VERSION)
                        .add(timestamp)
                        .add(sign)
                        .add(codec.encode(value))
                        .toBytes());
            }

            @Override
            public void flush(StateTransaction transaction) {
                rows.flush((LaneTransaction) transaction);
            }
        };
    }

    private Row<T> decode(byte[] row) {
        RowFields.Reader in = new RowFields.Reader("a row of a side table", VERSION, row);
        long timestamp = in.readLong();
        int sign = in.readInt();
        return new Row<>(codec.decode(Objects.requireNonNull(in.readBytes(), "event")), timestamp, sign);
    }
}
