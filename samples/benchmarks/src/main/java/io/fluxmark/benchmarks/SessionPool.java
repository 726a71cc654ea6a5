package io.fluxmark.benchmarks;

import java.util.Arrays;

/** Sessions as rows of longs, reused, linked into one list for each slot of a hash table. Number 0 is no session. */
final class SessionPool {

    static final int KEY = 0;
    static final int START = 1;

    /** Exclusive. */
    static final int END = 2;

    static final int COUNT = 3;
    static final int SUM = 4;
    static final int MAX = 5;

    /** The number of the next session of the list, live or free. */
    static final int NEXT = 6;

    /** 0 for one that was merged into another: whoever holds its number frees it. */
    static final int LIVE = 7;

    private static final int SLOT_BITS = 17;

    private final int[] heads = new int[1 << SLOT_BITS];
    private long[] cells = new long[8 << 16];
    private int used = 1;
    private int free;

    long get(int session, int field) {
        return cells[session * 8 + field];
    }

    void set(int session, int field, long value) {
        cells[session * 8 + field] = value;
    }

    /** The first session of the list that {@code key} belongs to. */
    int head(long key) {
        return heads[slot(key)];
    }

    int next(int session) {
        return (int) get(session, NEXT);
    }

    private static int slot(long key) {
        return (int) ((key * 0x9E3779B97F4A7C15L) >>> (Long.SIZE - SLOT_BITS));
    }

    /** A live session of {@code key}, whose other fields are to be set. */
    int allocate(long key) {
        int session = free;
        if (session != 0) {
            free = next(session);
        } else {
            session = used++;
            if (used * 8 > cells.length) {
                cells = Arrays.copyOf(cells, cells.length * 2);
            }
        }
        int slot = slot(key);
        set(session, KEY, key);
        set(session, NEXT, heads[slot]);
        set(session, LIVE, 1);
        heads[slot] = session;
        return session;
    }

    /** Takes {@code session} out of its list, where it follows {@code before}, or is first if that is 0. */
    void unlink(int session, int before) {
        if (before == 0) {
            heads[slot(get(session, KEY))] = next(session);
        } else {
            set(before, NEXT, next(session));
        }
    }

    /** Takes {@code session} out of its list. */
    void unlink(int session) {
        int before = 0;
        for (int i = head(get(session, KEY)); i != session; i = next(i)) {
            before = i;
        }
        unlink(session, before);
    }

    void free(int session) {
        set(session, NEXT, free);
        free = session;
    }
}
