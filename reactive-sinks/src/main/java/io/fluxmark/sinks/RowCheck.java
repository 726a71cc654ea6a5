package io.fluxmark.sinks;

import io.fluxmark.state.KeyReader;
import io.fluxmark.state.OperatorLongs;
import io.fluxmark.state.StateStore;
import io.fluxmark.state.StateStoreException;
import io.fluxmark.state.StoreEntry;
import io.fluxmark.state.StoreSnapshot;
import io.fluxmark.state.StoreTable;
import io.fluxmark.state.StoredLane;
import io.fluxmark.windows.Counters;
import io.fluxmark.windows.LiveCounters;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Whether what a store's jobs have committed fits together: rows stand under the window and key that are in them, changes, late
 * events, dead letters and rows of side tables are numbered without gaps up to what their lanes have counted, and counters sum to the input.
 */
public final class RowCheck {

    private static final int MAX_FOUND = 1000;

    /** What the names of operators look like that give each event an outcome. */
    private static final Pattern KEYED = Pattern.compile("(window|process|dedupe)-\\d+");

    private final StoreSnapshot snapshot;
    private final List<String> found = new ArrayList<>();

    /** By table, sink and lane, how many rows there are. */
    private final Map<String, Long> numbered = new TreeMap<>();

    private RowCheck(StoreSnapshot snapshot) {
        this.snapshot = snapshot;
    }

    /**
     * Reads everything of the newest commit on the subscribing thread.
     *
     * @return what does not fit, at most 1,000 texts; an empty list if everything does
     */
    public static Mono<List<String>> of(StateStore store) {
        return store.snapshot(snapshot -> Mono.defer(() -> new RowCheck(snapshot).run()))
                .single();
    }

    private Mono<List<String>> run() {
        return Flux.concat(
                        each(StoreTable.ROWS, this::row),
                        each(StoreTable.CHANGELOG, row -> numbered(StoreTable.CHANGELOG, row)),
                        each(StoreTable.LATE, row -> numbered(StoreTable.LATE, row)),
                        each(StoreTable.DEAD, row -> numbered(StoreTable.DEAD, row)),
                        each(StoreTable.SIDE, row -> numbered(StoreTable.SIDE, row)),
                        Flux.fromIterable(snapshot.lanes()).concatMap(this::lane))
                .then(Mono.fromSupplier(() -> List.copyOf(found)));
    }

    /** How one row is looked at. */
    private interface Look {
        void at(StoreEntry row);
    }

    private Mono<Void> each(StoreTable table, Look look) {
        return snapshot.read(table, new byte[0], null)
                .doOnNext(row -> {
                    try {
                        look.at(row);
                    } catch (StateStoreException | IllegalStateException e) {
                        add(table + " has a row that cannot be read: " + e.getMessage());
                    }
                })
                .then();
    }

    private void row(StoreEntry row) {
        String sink = new KeyReader(row.key()).readString();
        if (!StoredResult.isOne(row.value())) {
            return; // of a sink whose rows are its own affair
        }
        StoredResult result = StoredResult.of(row.value());
        if (!Arrays.equals(TableRows.key(sink, result.window(), result.key()), row.key())) {
            add("table " + sink + " has the result of window " + result.window()
                    + " under the key of another window or key");
        }
    }

    private void numbered(StoreTable table, StoreEntry row) {
        KeyReader key = new KeyReader(row.key());
        String place = place(table, key.readString(), key.readInt());
        long number = key.readLong();
        long expected = numbered.merge(place, 1L, Long::sum) - 1;
        if (number != expected) {
            add(place + " has number " + number + " where " + expected + " should follow");
            numbered.put(place, number + 1);
        }
    }

    private Mono<Void> lane(StoredLane lane) {
        return snapshot.longs(lane.job(), lane.lane())
                .doOnNext(longs -> {
                    if (longs.name().equals(LiveCounters.STATE_NAME)) {
                        counters(lane, longs);
                    }
                    StoredSink.of(lane.record()).stream()
                            .filter(sink -> longs.operator().equals(LanePosition.OPERATOR)
                                    && longs.name().equals(NumberedRows.counter(sink.table(), sink.name())))
                            .forEach(sink -> count(lane, sink, longs.values()[0]));
                })
                .then();
    }

    private void counters(StoredLane lane, OperatorLongs longs) {
        Counters counters = Counters.ofArray(longs.values());
        // What gives events their time counts those that it hands on, whose outcomes windows and functions count.
        if (KEYED.matcher(longs.operator()).matches() && !counters.sumHolds()) {
            add("the counters of " + longs.operator() + " in lane " + lane.lane() + " of job " + lane.job()
                    + " do not sum to its input: " + counters);
        }
    }

    private void count(StoredLane lane, StoredSink sink, long next) {
        String place = place(sink.table(), sink.name(), lane.lane());
        long rows = numbered.getOrDefault(place, 0L);
        if (rows != next) {
            add(place + " has " + rows + " rows, and its lane of job " + lane.job() + " has counted " + next);
        }
    }

    private static String place(StoreTable table, String sink, int lane) {
        String kind =
                switch (table) {
                    case CHANGELOG -> "changelog ";
                    case LATE -> "late table ";
                    case SIDE -> "side table ";
                    default -> "dead letter table ";
                };
        return kind + sink + ", lane " + lane + ",";
    }

    private void add(String what) {
        if (found.size() < MAX_FOUND) {
            found.add(what);
        }
    }
}
