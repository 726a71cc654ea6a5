package io.fluxmark.state;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.h2.mvstore.Cursor;
import org.h2.mvstore.MVMap;
import org.jspecify.annotations.Nullable;

/**
 * The lanes a store has ever had, with their fences and records. Changed on the store thread only.
 *
 * <pre>
 * key    job (string), lane (int), name (string; empty for the head)
 * head   number (int), generation (long), id of the newest transaction (long)
 * other  the value last put under the name
 * </pre>
 */
final class LaneTable {

    private static final String TABLE = "lanes";
    private static final String HEAD = "";

    private final MVMap<byte[], byte[]> map;
    // Looked up by readers too; changed on the store thread only.
    private final Map<LaneId, Lane> lanes = new ConcurrentHashMap<>();
    private int nextNumber;

    LaneTable(StoreFile file) {
        map = file.lanes();
        Cursor<byte[], byte[]> cursor = map.cursor(null);
        while (cursor.hasNext()) {
            byte[] key = cursor.next();
            KeyReader parts = new KeyReader(key);
            LaneId id = new LaneId(parts.readString(), parts.readInt());
            if (parts.readString().equals(HEAD)) {
                ByteBuffer head = ByteBuffer.wrap(ValueFrame.open(TABLE, key, cursor.getValue()));
                Lane lane = new Lane(id, head.getInt(), head.getLong(), head.getLong());
                lanes.put(id, lane);
                nextNumber = Math.max(nextNumber, lane.number() + 1);
            }
        }
    }

    /** All lanes of a committed table, by job and number. */
    static List<StoredLane> read(MVMap<byte[], byte[]> committed) {
        List<StoredLane> lanes = new ArrayList<>();
        Cursor<byte[], byte[]> cursor = committed.cursor(null);
        LaneId id = null;
        ByteBuffer head = null;
        Map<String, byte[]> values = new LinkedHashMap<>();
        while (cursor.hasNext()) {
            byte[] key = cursor.next();
            KeyReader parts = new KeyReader(key);
            LaneId next = new LaneId(parts.readString(), parts.readInt());
            String name = parts.readString();
            byte[] value = ValueFrame.open(TABLE, key, cursor.getValue());
            // The head has the empty name, so it is the first of its lane.
            if (name.equals(HEAD)) {
                if (id != null && head != null) {
                    lanes.add(stored(id, head, values));
                }
                id = next;
                head = ByteBuffer.wrap(value);
                values.clear();
            } else {
                values.put(name, value);
            }
        }
        if (id != null && head != null) {
            lanes.add(stored(id, head, values));
        }
        return lanes;
    }

    private static StoredLane stored(LaneId id, ByteBuffer head, Map<String, byte[]> values) {
        head.getInt();
        long generation = head.getLong();
        return new StoredLane(id.job(), id.lane(), generation, new LaneRecord(head.getLong(), values));
    }

    /** The lane, created if the store has never seen it. */
    Lane lane(LaneId id) {
        return lanes.computeIfAbsent(id, missing -> new Lane(missing, nextNumber++, 0, 0));
    }

    @Nullable
    Lane find(LaneId id) {
        return lanes.get(id);
    }

    /** Ends all sessions' signalling, after what they still have to be told. */
    void retireSessions() {
        lanes.values().forEach(lane -> lane.sessionStarted(null));
    }

    void putHead(Lane lane) {
        byte[] head = ByteBuffer.allocate(Integer.BYTES + 2 * Long.BYTES)
                .putInt(lane.number())
                .putLong(lane.generation())
                .putLong(lane.applied())
                .array();
        putValue(lane, HEAD, head);
    }

    void putValue(Lane lane, String name, byte[] value) {
        byte[] key = key(lane.id(), name);
        map.put(key, ValueFrame.of(key, value));
    }

    LaneRecord record(Lane lane) {
        Map<String, byte[]> values = new LinkedHashMap<>();
        byte[] prefix = prefix(lane.id()).toBytes();
        byte[] end = KeyBytes.endOfPrefix(prefix);
        Cursor<byte[], byte[]> cursor = map.cursor(prefix);
        while (cursor.hasNext()) {
            byte[] key = cursor.next();
            if (end != null && KeyBytes.compare(key, end) >= 0) {
                break;
            }
            KeyReader parts = new KeyReader(key);
            parts.readString();
            parts.readInt();
            String name = parts.readString();
            if (!name.equals(HEAD)) {
                values.put(name, ValueFrame.open(TABLE, key, cursor.getValue()));
            }
        }
        return new LaneRecord(lane.applied(), values);
    }

    private static KeyBytes prefix(LaneId id) {
        return KeyBytes.key().add(id.job()).add(id.lane());
    }

    private static byte[] key(LaneId id, String name) {
        return prefix(id).add(name).toBytes();
    }
}
