package io.fluxmark.state;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
import org.h2.mvstore.Cursor;
import org.h2.mvstore.MVMap;
import org.jspecify.annotations.Nullable;

/** Walks every map of a file and lists what is wrong. Used once, by one thread. */
final class StoreCheck {

    private static final int MAX_DAMAGES = 1000;
    private static final int STEP = 10_000;
    private static final int MAX_KEY_SHOWN = 64;

    /** A lane's newest transaction, and whose it is. */
    private record Head(LaneId id, long applied) {}

    private final StoreFile file;
    private final LongConsumer progress;
    private final Map<String, Long> entries = new LinkedHashMap<>();
    private final Map<Integer, Head> lanes = new HashMap<>();
    private final List<String> damages = new ArrayList<>();
    private DropIndex drops = DropIndex.EMPTY;
    private long read;
    private long hidden;

    StoreCheck(StoreFile file, LongConsumer progress) {
        this.file = file;
        this.progress = progress;
    }

    /** What is looked at beside checksum, order and look-up. */
    private interface Meaning {
        void check(byte[] key, byte[] frame, byte[] value);
    }

    OfflineStore.Verification run() {
        long commit = commitNumber();
        walk("meta", file.meta(), (key, frame, value) -> {});
        walk("lanes", file.lanes(), (key, frame, value) -> lane(key, value));
        walk("drops", file.drops(), (key, frame, value) -> drop(key, value));
        walk("ahead", file.ahead(), (key, frame, value) -> ahead(key, value));
        for (StoreTable table : StoreTable.values()) {
            walk(table.mapName(), file.table(table), (key, frame, value) -> entry(table, key, frame));
        }
        return new OfflineStore.Verification(commit, entries, hidden, damages);
    }

    private long commitNumber() {
        try {
            return file.commitNumber();
        } catch (RuntimeException e) {
            return -1; // the walk over the map says why
        }
    }

    private void walk(String name, MVMap<byte[], byte[]> map, Meaning meaning) {
        byte[] last = null;
        long count = 0;
        try {
            Cursor<byte[], byte[]> cursor = map.cursor(null);
            while (cursor.hasNext()) {
                byte[] key = cursor.next();
                check(name, last, key, cursor.getValue(), meaning);
                if (map.get(key) == null) {
                    found(name + " has key " + text(key) + " where no look-up finds it");
                }
                last = key;
                count++;
                if (++read % STEP == 0) {
                    progress.accept(read);
                }
            }
        } catch (Throwable e) {
            // Torn pages end in any exception, and senseless lengths in errors.
            found(name + " cannot be read behind "
                    + (last == null ? "its beginning" : "key " + text(last)) + ", where " + count
                    + " entries had been: " + e);
        }
        entries.put(name, count);
    }

    private void check(String name, byte @Nullable [] last, byte[] key, byte[] frame, Meaning meaning) {
        if (last != null && KeyBytes.compare(last, key) >= 0) {
            found(name + " has key " + text(key) + " behind " + text(last) + ", which is not its order");
        }
        try {
            meaning.check(key, frame, ValueFrame.open(name, key, frame));
        } catch (StateStoreException e) {
            found(String.valueOf(e.getMessage()));
        } catch (RuntimeException e) {
            found(name + " has a value under key " + text(key) + " that makes no sense: " + e);
        }
    }

    private void lane(byte[] key, byte[] value) {
        KeyReader parts = new KeyReader(key);
        LaneId id = new LaneId(parts.readString(), parts.readInt());
        if (!parts.readString().isEmpty()) {
            if (lanes.values().stream().noneMatch(head -> head.id().equals(id))) {
                found("a value of " + id + " is kept, and the lane has no head");
            }
            return;
        }
        ByteBuffer head = ByteBuffer.wrap(value);
        int number = head.getInt();
        long generation = head.getLong();
        long applied = head.getLong();
        Head other = lanes.put(number, new Head(id, applied));
        if (other != null) {
            found(id + " and " + other.id() + " both have number " + number);
        }
        if (generation < 1 || applied < 0) {
            found(id + " has generation " + generation + " and transaction " + applied);
        }
    }

    private void drop(byte[] key, byte[] to) {
        StoreTable table = StoreTable.ofCode(key[0]);
        byte[] from = Arrays.copyOfRange(key, 1, key.length);
        if (KeyBytes.compare(from, to) >= 0) {
            found("the dropped range of " + table.mapName() + " from " + text(from) + " to " + text(to) + " is empty");
            return;
        }
        drops = drops.plus(new DropIndex.Range(table, from, to));
    }

    private void ahead(byte[] key, byte[] value) {
        int lane = AheadRun.of(key, value).id().lane();
        if (!lanes.containsKey(lane)) {
            found("rows of a lane with number " + lane + " are written ahead, and there is none");
        }
    }

    private void entry(StoreTable table, byte[] key, byte[] frame) {
        if (drops.covering(table, key) != null) {
            hidden++;
            return;
        }
        if (table == StoreTable.STATE) {
            int number = new KeyReader(key).readInt();
            if (!lanes.containsKey(number)) {
                found("state has key " + text(key) + " of a lane with number " + number + ", and there is none");
            }
            return;
        }
        int writer = ValueFrame.lane(frame);
        if (writer != ValueFrame.NO_LANE && !lanes.containsKey(writer)) {
            found(table.mapName() + " has key " + text(key) + " of a lane with number " + writer
                    + ", and there is none");
        }
    }

    private void found(String damage) {
        if (damages.size() < MAX_DAMAGES) {
            damages.add(damage);
        }
    }

    private static String text(byte[] key) {
        String hex = HexFormat.of().formatHex(key, 0, Math.min(key.length, MAX_KEY_SHOWN));
        return key.length <= MAX_KEY_SHOWN ? hex : hex + "... (" + key.length + " bytes)";
    }
}
