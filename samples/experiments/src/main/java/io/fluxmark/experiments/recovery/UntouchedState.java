package io.fluxmark.experiments.recovery;

import io.fluxmark.state.LaneSession;
import io.fluxmark.state.LaneTransaction;
import io.fluxmark.state.StateStore;
import io.fluxmark.state.StoreTable;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Objects;
import java.util.SplittableRandom;
import reactor.core.publisher.Mono;

/** State in the same store that the job which is killed never reads: a megabyte of it is 1,000 entries of 1,000 bytes. */
final class UntouchedState {

    private static final int VALUE_BYTES = 1_000;
    private static final int ENTRIES_OF_A_MEGABYTE = 1_000;
    private static final int MEGABYTES_OF_A_COMMIT = 8;
    private static final long SEED = 6;

    private UntouchedState() {}

    /** Adds to what is there, in commits of 8 MB. */
    static void grow(Path directory, int fromMegabytes, int toMegabytes) {
        SplittableRandom random = new SplittableRandom(SEED + fromMegabytes);
        try (StateStore store = await(StateStore.open(directory))) {
            LaneSession session = await(store.openLane("untouched", 0));
            for (int from = fromMegabytes; from < toMegabytes; from += MEGABYTES_OF_A_COMMIT) {
                int to = Math.min(toMegabytes, from + MEGABYTES_OF_A_COMMIT);
                LaneTransaction transaction = session.begin();
                for (long i = (long) from * ENTRIES_OF_A_MEGABYTE; i < (long) to * ENTRIES_OF_A_MEGABYTE; i++) {
                    byte[] value = new byte[VALUE_BYTES];
                    random.nextBytes(value);
                    byte[] key = ByteBuffer.allocate(Long.BYTES).putLong(i).array();
                    transaction.put(StoreTable.STATE, key, value);
                }
                await(session.submit(transaction));
            }
        }
    }

    private static <V> V await(Mono<V> mono) {
        return Objects.requireNonNull(mono.block(), "the store gave nothing");
    }
}
