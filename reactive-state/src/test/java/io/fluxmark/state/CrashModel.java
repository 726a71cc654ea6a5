package io.fluxmark.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.NavigableMap;
import java.util.Random;
import java.util.TreeMap;
import reactor.core.publisher.Mono;

/**
 * A workload whose every transaction is a function of its number, so that what a store holds after transaction n is
 * known for each n: entries in three tables, a lane value, and now and then a dropped range. Half of the rows of every
 * second transaction are written ahead of it, in two parts; some of them are removed first and put again.
 */
final class CrashModel {

    private static final int KEYS = 300;
    private static final int CHANGES = 20;
    private static final int VALUE_BYTES = 60;

    private final long seed;

    CrashModel(long seed) {
        this.seed = seed;
    }

    /** Hands in the next transaction of the session, behind the rows that are written ahead of it. */
    Mono<StoreCommit> submit(LaneSession session) {
        LaneTransaction transaction = session.begin();
        Mono<?> before = isAhead(transaction.id())
                ? writeAhead(session, transaction.id(), true).then(writeAhead(session, transaction.id(), false))
                : Mono.empty();
        return before.then(Mono.defer(() -> session.submit(fill(transaction))));
    }

    private static boolean isAhead(long id) {
        return id % 2 == 0 && id % 7 != 0;
    }

    private Mono<LaneTransaction> writeAhead(LaneSession session, long id, boolean removing) {
        return Mono.defer(() -> {
            LaneTransaction part = session.part(id);
            Random random = random(id);
            for (int i = 0; i < CHANGES / 2; i++) {
                byte[] key = Stores.bytes(random.nextInt(KEYS));
                if (removing && i % 3 == 0) {
                    part.remove(StoreTable.ROWS, key);
                } else if (!removing || i % 3 == 1) {
                    part.put(StoreTable.ROWS, key, value(id));
                }
            }
            return session.writeAhead(part);
        });
    }

    private LaneTransaction fill(LaneTransaction transaction) {
        long id = transaction.id();
        Random random = random(id);
        if (id % 7 == 0) {
            int from = random.nextInt(KEYS - 40);
            transaction.dropRange(StoreTable.STATE, Stores.bytes(from), Stores.bytes(from + 40));
            transaction.dropRange(StoreTable.ROWS, Stores.bytes(from), Stores.bytes(from + 40));
        }
        for (int i = 0; i < CHANGES; i++) {
            byte[] key = Stores.bytes(random.nextInt(KEYS));
            transaction.put(StoreTable.STATE, key, value(id));
            if (i >= CHANGES / 2 || !isAhead(id)) {
                transaction.put(StoreTable.ROWS, key, value(id));
            }
        }
        transaction.put(StoreTable.CHANGELOG, Stores.bytes(id), value(id));
        transaction.lane("position", Stores.bytes(id));
        return transaction;
    }

    /** Asserts that the store holds exactly what transactions 1 to n leave. */
    void verify(StateStore store, LaneSession session) {
        long id = session.restored().transaction();
        byte[] position = session.restored().value("position");
        assertThat(position == null ? 0 : Stores.number(position)).isEqualTo(id);
        NavigableMap<Long, Long> expected = after(id);
        TreeMap<Long, Long> state = new TreeMap<>();
        for (StoreEntry entry : session.scan(StoreTable.STATE, new byte[0], null, Integer.MAX_VALUE)) {
            state.put(Stores.number(entry.key()), number(entry.value()));
        }
        assertThat(state).isEqualTo(expected);
        TreeMap<Long, Long> rows = new TreeMap<>();
        for (StoreEntry entry : Stores.rows(store)) {
            rows.put(Stores.number(entry.key()), number(entry.value()));
        }
        assertThat(rows).isEqualTo(expected);
        assertThat(store.read(StoreTable.CHANGELOG, new byte[0], null).count().block(Stores.PATIENCE))
                .isEqualTo(id);
    }

    private NavigableMap<Long, Long> after(long last) {
        NavigableMap<Long, Long> entries = new TreeMap<>();
        for (long id = 1; id <= last; id++) {
            Random random = random(id);
            if (id % 7 == 0) {
                long from = random.nextInt(KEYS - 40);
                entries.subMap(from, from + 40).clear();
            }
            for (int i = 0; i < CHANGES; i++) {
                entries.put((long) random.nextInt(KEYS), id);
            }
        }
        return entries;
    }

    private Random random(long id) {
        return new Random(seed + id * 1_000_003);
    }

    private static byte[] value(long id) {
        byte[] value = Arrays.copyOf(Stores.bytes(id), VALUE_BYTES);
        Arrays.fill(value, Long.BYTES, VALUE_BYTES, (byte) id);
        return value;
    }

    private static long number(byte[] value) {
        long id = Stores.number(value);
        assertThat(value).isEqualTo(value(id));
        return id;
    }
}
