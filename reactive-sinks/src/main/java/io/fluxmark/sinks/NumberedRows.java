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
    private final List<byte[]> waiting = new ArrayList<>();
    private long next;

    NumberedRows(StoreTable table, String name, JobLane lane) {
        this.table = table;
        this.name = name;
        this.lane = lane.number();
        this.counter = table + "/" + name;
        long @Nullable [] stored = lane.state().longs(LanePosition.OPERATOR, counter);
        next = stored == null ? 0 : stored[0];
    }

    void add(byte[] row) {
        waiting.add(row);
    }

    void flush(LaneTransaction transaction) {
        for (byte[] row : waiting) {
            transaction.put(table, RowNames.numbered(name, lane, next++), row);
        }
        waiting.clear();
        transaction.longs(LanePosition.OPERATOR, counter, new long[] {next});
    }
}
