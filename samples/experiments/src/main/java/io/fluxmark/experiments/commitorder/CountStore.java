package io.fluxmark.experiments.commitorder;

import io.fluxmark.state.KeyBytes;
import io.fluxmark.state.LaneSession;
import io.fluxmark.state.LaneTransaction;
import io.fluxmark.state.StateStore;
import io.fluxmark.state.StoreEntry;
import io.fluxmark.state.StoreSpec;
import io.fluxmark.state.StoreTable;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Objects;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/** Counts by key in a store, and the offset behind what is counted: in the same store, or in a file beside it. */
final class CountStore implements AutoCloseable {

    private static final String JOB = "counting";
    private static final int LANE = 0;

    /** Behind those of the keys, so that one scan gives all. */
    private static final int OFFSET_ENTRY = Records.KEYS;

    private final StateStore store;
    private final LaneSession session;
    private final OffsetFile file;

    private CountStore(StateStore store, OffsetFile file) {
        this.store = store;
        this.session = await(store.openLane(JOB, LANE));
        this.file = file;
    }

    static CountStore open(Path directory) {
        // Results are signalled where they arise: a change of threads is no part of what is measured.
        StoreSpec spec = StoreSpec.defaults().scheduler(Schedulers.immediate());
        return new CountStore(await(StateStore.open(directory, spec)), new OffsetFile(directory.resolve("offset")));
    }

    /**
     * What is committed.
     *
     * @param counts by key
     * @param offset of the record to be read next
     */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Committed(long[] counts, long offset) {}

    /** Reads all that is committed. */
    Committed read(CommitOrder order) {
        long[] entries = new long[Records.KEYS + 1];
        for (StoreEntry entry : session.scan(StoreTable.STATE, new byte[0], null, entries.length)) {
            entries[ByteBuffer.wrap(entry.key()).getInt() ^ Integer.MIN_VALUE] =
                    ByteBuffer.wrap(entry.value()).getLong();
        }
        return new Committed(Arrays.copyOf(entries, Records.KEYS), offset(order));
    }

    /** The committed count of a key. */
    long count(int key) {
        byte[] count = session.get(StoreTable.STATE, bytes(key));
        return count == null ? 0 : ByteBuffer.wrap(count).getLong();
    }

    /** The committed offset. */
    long offset(CommitOrder order) {
        return order == CommitOrder.ATOMIC ? count(OFFSET_ENTRY) : file.read();
    }

    LaneTransaction begin() {
        return session.begin();
    }

    static void put(LaneTransaction transaction, int key, long count) {
        transaction.put(
                StoreTable.STATE,
                bytes(key),
                ByteBuffer.allocate(Long.BYTES).putLong(0, count).array());
    }

    private static byte[] bytes(int key) {
        return KeyBytes.key().add(key).toBytes();
    }

    /** The offset as a part of the transaction. */
    static void putOffset(LaneTransaction transaction, long offset) {
        put(transaction, OFFSET_ENTRY, offset);
    }

    /** Returns when it is durable. */
    void commit(LaneTransaction transaction) {
        await(session.submit(transaction));
    }

    /** The offset alone; returns when it is durable. */
    void commitOffset(long offset) {
        file.commit(offset);
    }

    private static <T> T await(Mono<T> mono) {
        return Objects.requireNonNull(mono.block(), "nothing came");
    }

    @Override
    public void close() {
        file.close();
        store.close();
    }
}
