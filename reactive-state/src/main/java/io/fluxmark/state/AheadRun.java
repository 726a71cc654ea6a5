package io.fluxmark.state;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What has been written ahead of one transaction and is not settled: where its rows stand, and what has become of the
 * transaction. Confined to the store thread.
 *
 * <pre>
 * key    lane (int), generation (long), transaction (long)
 * value  state (byte), whether rows replace others or are removals (byte),
 *        ranges: table code (byte), length (int) and bytes of from, length (int) and bytes of to
 * </pre>
 */
final class AheadRun {

    enum State {
        /** The transaction may still be committed. */
        UNDER_WAY(1),
        /** The transaction is lost: what its rows replaced is put back. */
        LOST(2),
        /** The transaction is committed: its rows become plain ones. */
        COMMITTED(3);

        private final byte code;

        State(int code) {
            this.code = (byte) code;
        }

        private static State ofCode(byte code) {
            for (State state : values()) {
                if (state.code == code) {
                    return state;
                }
            }
            throw new StoreFormatException(
                    "Unknown state " + code + " of rows written ahead; open the store with the version that wrote it");
        }
    }

    // Rows of a firing come in order, so their ranges hardly overlap; rows that come in any order end as one range.
    static final int MAX_RANGES = 64;

    private final AheadId id;
    private State state = State.UNDER_WAY;
    private boolean rewriting;
    private List<DropIndex.Range> ranges = new ArrayList<>();

    AheadRun(AheadId id) {
        this.id = id;
    }

    AheadId id() {
        return id;
    }

    State state() {
        return state;
    }

    void become(State next) {
        state = next;
    }

    /** Some row replaces another or is a removal, so that committed rows have to be made plain. */
    boolean rewriting() {
        return rewriting;
    }

    void markRewriting() {
        rewriting = true;
    }

    /** Whether a row of this run may stand there. */
    boolean covers(StoreTable table, byte[] key) {
        for (DropIndex.Range range : ranges) {
            if (range.table() == table
                    && KeyBytes.compare(range.from(), key) <= 0
                    && KeyBytes.compare(key, range.to()) < 0) {
                return true;
            }
        }
        return false;
    }

    /** Whether a row of this run may stand in {@code [from, to)}. */
    boolean overlaps(StoreTable table, byte[] from, byte[] to) {
        for (DropIndex.Range range : ranges) {
            if (range.table() == table
                    && KeyBytes.compare(range.from(), to) < 0
                    && KeyBytes.compare(from, range.to()) < 0) {
                return true;
            }
        }
        return false;
    }

    /** Rows are about to stand in {@code [from, to)}. */
    void add(StoreTable table, byte[] from, byte[] to) {
        List<DropIndex.Range> next = new ArrayList<>();
        DropIndex.Range merged = new DropIndex.Range(table, from, to);
        boolean full = ranges.size() >= MAX_RANGES;
        for (DropIndex.Range range : ranges) {
            if (range.table() == table && (full || overlaps(range, merged))) {
                merged = hull(range, merged);
            } else {
                next.add(range);
            }
        }
        next.add(merged);
        ranges = next;
    }

    /** The range to settle next, or null when all is done. */
    DropIndex.@Nullable Range first() {
        return ranges.isEmpty() ? null : ranges.get(0);
    }

    /** The first range is settled up to {@code resume}, or to its end if that is null. */
    void settled(byte @Nullable [] resume) {
        DropIndex.Range range = ranges.remove(0);
        if (resume != null) {
            ranges.add(0, new DropIndex.Range(range.table(), resume, range.to()));
        }
    }

    byte[] key() {
        return KeyBytes.key()
                .add(id.lane())
                .add(id.generation())
                .add(id.transaction())
                .toBytes();
    }

    byte[] value() {
        int size = 2;
        for (DropIndex.Range range : ranges) {
            size += 1 + 2 * Integer.BYTES + range.from().length + range.to().length;
        }
        ByteBuffer out = ByteBuffer.allocate(size).put(state.code).put((byte) (rewriting ? 1 : 0));
        for (DropIndex.Range range : ranges) {
            out.put(range.table().code())
                    .putInt(range.from().length)
                    .put(range.from())
                    .putInt(range.to().length)
                    .put(range.to());
        }
        return out.array();
    }

    static AheadRun of(byte[] key, byte[] value) {
        KeyReader parts = new KeyReader(key);
        AheadRun run = new AheadRun(new AheadId(parts.readInt(), parts.readLong(), parts.readLong()));
        ByteBuffer in = ByteBuffer.wrap(value);
        run.state = State.ofCode(in.get());
        run.rewriting = in.get() != 0;
        while (in.hasRemaining()) {
            StoreTable table = StoreTable.ofCode(in.get());
            run.ranges.add(new DropIndex.Range(table, bytes(in), bytes(in)));
        }
        return run;
    }

    private static byte[] bytes(ByteBuffer in) {
        byte[] bytes = new byte[in.getInt()];
        in.get(bytes);
        return bytes;
    }

    private static boolean overlaps(DropIndex.Range one, DropIndex.Range two) {
        return KeyBytes.compare(one.from(), two.to()) <= 0 && KeyBytes.compare(two.from(), one.to()) <= 0;
    }

    private static DropIndex.Range hull(DropIndex.Range one, DropIndex.Range two) {
        return new DropIndex.Range(
                one.table(),
                KeyBytes.compare(one.from(), two.from()) < 0 ? one.from() : two.from(),
                KeyBytes.compare(one.to(), two.to()) > 0 ? one.to() : two.to());
    }
}
