package io.fluxmark.state;

import io.fluxmark.windows.StateTransaction;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.TreeMap;

/**
 * Everything one lane changes between two barriers: entries of any table, dropped ranges and the lane's own record. It
 * becomes durable as a whole in one store commit, or not at all. Nothing is visible before that.
 *
 * <p>Not thread-safe; confined to the lane until it is submitted, immutable afterwards. Arrays are copied. Calls take
 * effect in their order: a later one on the same key replaces an earlier one, and an entry put into a range after it was
 * dropped stays.
 */
public final class LaneTransaction implements StateTransaction {

    private static final int OVERHEAD = TableChanges.OVERHEAD;

    /** A change of a range, applied before the entries because entries put before it are forgotten here. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Drop(StoreTable table, byte[] from, byte[] to) {}

    private final LaneSession session;
    private final long id;
    private final Map<StoreTable, TableChanges> changes = new EnumMap<>(StoreTable.class);
    private final List<Drop> drops = new ArrayList<>();
    private final NavigableMap<String, byte[]> record = new TreeMap<>();
    /** Without the changes of tables. */
    private long bytes = OVERHEAD;

    private boolean submitted;

    LaneTransaction(LaneSession session, long id) {
        this.session = session;
        this.id = id;
    }

    /** The number of this transaction within its lane, from 1. */
    @Override
    public long id() {
        return id;
    }

    /** Sets an entry. */
    public void put(StoreTable table, byte[] key, byte[] value) {
        Objects.requireNonNull(value, "value");
        if (table == StoreTable.STATE) {
            byte[] stored = stored(table, key);
            changesOf(table).put(stored, ValueFrame.of(stored, value));
        } else {
            checkOpen();
            changesOf(table).putRow(Objects.requireNonNull(key, "key"), session.laneNumber(), id, value);
        }
    }

    /** Removes an entry, if there is one. */
    public void remove(StoreTable table, byte[] key) {
        changesOf(table).put(stored(table, key), null);
    }

    /**
     * Removes all entries of {@code [from, to)}, those put earlier in this transaction included. Costs one record,
     * however many entries there are.
     */
    public void dropRange(StoreTable table, byte[] fromInclusive, byte[] toExclusive) {
        checkOpen();
        byte[] from = session.storedKey(table, Objects.requireNonNull(fromInclusive, "fromInclusive"));
        byte[] to = session.storedKey(table, Objects.requireNonNull(toExclusive, "toExclusive"));
        if (KeyBytes.compare(from, to) >= 0) {
            throw new IllegalArgumentException(
                    "The range from " + HexFormat.of().formatHex(fromInclusive) + " to "
                            + HexFormat.of().formatHex(toExclusive) + " is empty; from must be below to");
        }
        changesOf(table).forget(from, to);
        drops.add(new Drop(table, from, to));
        bytes += from.length + to.length + OVERHEAD;
    }

    /**
     * Sets a value of the lane's record, found again in {@link LaneSession#restored()}. Values of other names stay.
     *
     * @param name not empty
     */
    public void lane(String name, byte[] value) {
        checkOpen();
        if (name.isEmpty()) {
            throw new IllegalArgumentException("The name of a lane value must not be empty");
        }
        byte[] copy = Objects.requireNonNull(value, "value").clone();
        byte[] previous = record.put(name, copy);
        bytes += copy.length + (previous == null ? name.length() + OVERHEAD : -previous.length);
    }

    @Override
    public void longs(String operator, String name, long[] values) {
        put(StoreTable.STATE, PaneKeys.longs(operator, name), OperatorLongs.encode(values));
    }

    @Override
    public LaneTransaction part() {
        return session.part(id);
    }

    @Override
    public void include(StateTransaction part) {
        if (!(part instanceof LaneTransaction own)) {
            throw new IllegalArgumentException(
                    "Transaction " + id + " takes no part of another kind; make it with part()");
        }
        include(own);
    }

    /** About what the transaction occupies on the heap. */
    public long bytes() {
        long sum = bytes;
        for (TableChanges ofTable : changes.values()) {
            sum += ofTable.bytes();
        }
        return sum;
    }

    boolean belongsTo(LaneSession other) {
        return session == other;
    }

    void markSubmitted(boolean isSubmitted) {
        submitted = isSubmitted;
    }

    /** Writes everything to the maps, keys in order; on the store thread. */
    void apply(Incarnation store, Lane lane, long generation) {
        // What is dropped or put here comes after all that was written ahead.
        store.ahead().commit(new AheadId(lane.number(), generation, id));
        for (Drop drop : drops) {
            store.drops().drop(drop.table(), drop.from(), drop.to());
        }
        changes.forEach(store.ahead()::apply);
        record.forEach((name, value) -> store.lanes().putValue(lane, name, value));
        store.lanes().putHead(lane);
    }

    /**
     * Adds what another part of the same transaction has and this one has not; an entry that both have stays as it is
     * here. The part must not be used any more.
     *
     * @param part from {@link LaneSession#part}
     */
    public void include(LaneTransaction part) {
        checkOpen();
        if (!part.belongsTo(session) || part.id != id) {
            throw new IllegalArgumentException("The part of transaction " + part.id + " does not belong to transaction "
                    + id + " of this session; make it with LaneSession.part(" + id + ")");
        }
        part.changes.forEach((table, ofTable) -> {
            TableChanges own = changesOf(table);
            if (own.size() == 0) {
                changes.put(table, ofTable);
            } else {
                ofTable.forEach((key, frame) -> {
                    if (!own.holds(key)) {
                        own.put(key, frame);
                    }
                });
            }
        });
        part.record.forEach((name, value) ->
                bytes += record.putIfAbsent(name, value) == null ? value.length + name.length() + OVERHEAD : 0);
        drops.addAll(part.drops);
        bytes += part.drops.size() * (long) OVERHEAD;
    }

    /**
     * Takes the rows out, to be written ahead. None while one of them stands in a range that is dropped here, because the
     * drop comes into force with the transaction and would take away what is written before.
     */
    LaneTransaction takeRows() {
        LaneTransaction rows = new LaneTransaction(session, id);
        if (drops.stream().noneMatch(this::holdsRows)) {
            for (StoreTable table : StoreTable.values()) {
                TableChanges ofTable = table == StoreTable.STATE ? null : changes.remove(table);
                if (ofTable != null) {
                    rows.changes.put(table, ofTable);
                }
            }
        }
        rows.submitted = true;
        return rows;
    }

    private boolean holdsRows(Drop drop) {
        TableChanges ofTable = drop.table() == StoreTable.STATE ? null : changes.get(drop.table());
        return ofTable != null && ofTable.holdsAny(drop.from(), drop.to());
    }

    /**
     * Writes the rows ahead; on the store thread.
     *
     * @return those that have to wait for the transaction itself, as a part of it
     */
    LaneTransaction writeAhead(Incarnation store, AheadId ahead) {
        LaneTransaction rest = new LaneTransaction(session, id);
        changes.forEach((table, ofTable) -> {
            for (byte[] key : store.ahead().write(ahead, table, ofTable)) {
                rest.changesOf(table).put(key, ofTable.frame(key));
            }
        });
        return rest;
    }

    /** Whether no entry has been set or removed, and no range dropped. */
    public boolean isEmpty() {
        return drops.isEmpty() && entryCount() == 0;
    }

    /** How many entries of the tables it changes. */
    long entryCount() {
        return changes.values().stream().mapToLong(TableChanges::size).sum();
    }

    /** How many of these are entries of state. */
    long stateEntryCount() {
        TableChanges state = changes.get(StoreTable.STATE);
        return state == null ? 0 : state.size();
    }

    /** Whether a range of rows is dropped where another lane has written ahead. */
    boolean dropsWhatIsAhead(Incarnation store, int lane) {
        for (Drop drop : drops) {
            if (store.ahead().holds(lane, drop.table(), drop.from(), drop.to())) {
                return true;
            }
        }
        return false;
    }

    private byte[] stored(StoreTable table, byte[] key) {
        checkOpen();
        return session.storedKey(table, Objects.requireNonNull(key, "key"));
    }

    private TableChanges changesOf(StoreTable table) {
        return changes.computeIfAbsent(Objects.requireNonNull(table, "table"), missing -> new TableChanges());
    }

    private void checkOpen() {
        if (submitted) {
            throw new IllegalStateException(
                    "Transaction " + id + " has been submitted and cannot change any more; begin() the next one");
        }
    }
}
