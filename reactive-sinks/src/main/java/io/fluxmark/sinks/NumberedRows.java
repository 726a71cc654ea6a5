package io.fluxmark.sinks;

import io.fluxmark.state.LaneTransaction;
import io.fluxmark.state.StoreTable;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Rows of one lane that are only ever added, numbered without gaps; the next number is part of the transaction. */
final class NumberedRows {

    private final StoreTable table;
    private final String name;
    private final int lane;
    private final String counter;
    private final StoredSink.Keeper keeper;
    private final List<byte[]> waiting = new ArrayList<>();
    private long next;

    NumberedRows(StoredSink sink, JobLane lane) {
        this.table = sink.table();
        this.name = sink.name();
        this.keeper = lane.keeper(sink);
        this.lane = lane.number();
        this.counter = counter(table, name);
        long @Nullable [] stored = lane.state().longs(LanePosition.OPERATOR, counter);
        next = stored == null ? 0 : stored[0];
    }

    /** The name under which a lane keeps the next number of a sink. */
    static String counter(StoreTable table, String name) {
        return table + "/" + name;
    }

    void add(byte[] row) {
        waiting.add(row);
    }

    void flush(LaneTransaction transaction) {
        keeper.keep(transaction);
        for (byte[] row : waiting) {
            transaction.put(table, RowNames.numbered(name, lane, next++), row);
        }
        waiting.clear();
        transaction.longs(LanePosition.OPERATOR, counter, new long[] {next});
    }
}
