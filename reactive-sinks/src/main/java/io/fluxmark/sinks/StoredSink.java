package io.fluxmark.sinks;

import io.fluxmark.state.KeyBytes;
import io.fluxmark.state.KeyReader;
import io.fluxmark.state.LaneRecord;
import io.fluxmark.state.LaneTransaction;
import io.fluxmark.state.StoreTable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * A sink that a job has written rows to, as every lane of the job keeps it beside its rows: so a store can say what is in it
 * without the program that filled it.
 *
 * @param table where the rows are
 * @param name the sink's name
 * @param keyCodec id of the codec of keys; empty where rows have none
 * @param valueCodec id of the codec of values
 */
public record StoredSink(StoreTable table, String name, String keyCodec, String valueCodec)
        implements Comparable<StoredSink> {

    private static final String PREFIX = "sink/";

    /** The sinks that a lane has written to, in order. */
    static List<StoredSink> of(LaneRecord record) {
        List<StoredSink> sinks = new ArrayList<>();
        for (String name : record.names()) {
            byte[] value = name.startsWith(PREFIX) ? record.value(name) : null;
            if (value != null) {
                KeyReader parts = new KeyReader(value);
                String table = parts.readString();
                sinks.add(new StoredSink(
                        StoreTable.valueOf(table), parts.readString(), parts.readString(), parts.readString()));
            }
        }
        sinks.sort(Comparator.naturalOrder());
        return sinks;
    }

    /** By table, then by name. */
    @Override
    public int compareTo(StoredSink other) {
        int byTable = table.compareTo(other.table);
        return byTable != 0 ? byTable : name.compareTo(other.name);
    }

    /** Keeps it for one lane: with the first rows of each session, where the lane does not have it yet. Confined to the lane. */
    static final class Keeper {

        private final StoredSink sink;
        private boolean kept;

        Keeper(StoredSink sink, LaneRecord restored) {
            this.sink = sink;
            kept = restored.value(sink.recordName()) != null;
        }

        void keep(LaneTransaction transaction) {
            if (!kept) {
                kept = true;
                transaction.lane(sink.recordName(), sink.encode());
            }
        }
    }

    private String recordName() {
        return PREFIX + table + "/" + name;
    }

    private byte[] encode() {
        return KeyBytes.key()
                .add(table.name())
                .add(name)
                .add(keyCodec)
                .add(valueCodec)
                .toBytes();
    }
}
