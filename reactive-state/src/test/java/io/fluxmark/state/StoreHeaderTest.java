package io.fluxmark.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * The file's header names a chunk from which the newest one is found. A commit that fails while it takes that chunk's space
 * must not cost the commits since.
 */
@ExtendWith(FaultyFileSystem.Reset.class)
class StoreHeaderTest {

    private static final int ROUNDS = Stores.THOROUGH ? 20_000 : 6_500;
    private static final int LARGE = 60_000;

    @TempDir
    Path directory;

    @Test
    void failedCommitCostsNoneThatWasAcknowledged() {
        long seed = 227;
        Random random = new Random(seed);
        int failures = 0;
        try (StateStore store = Stores.open(directory, Stores.synchronous().filePrefix(FaultyFileSystem.PREFIX))) {
            LaneSession session = Stores.lane(store, 0);
            long acknowledged = 0;
            for (int round = 0; round < ROUNDS; round++) {
                LaneTransaction transaction = session.begin();
                // Large ones now and then leave space in the middle that small ones use again and again.
                int size = random.nextInt(40) == 0 ? LARGE : random.nextInt(200);
                transaction.put(StoreTable.ROWS, Stores.bytes((long) random.nextInt(20)), new byte[size]);
                if (random.nextInt(8) == 0) {
                    FaultyFileSystem.failAfter(random.nextInt(6), false, random.nextBoolean());
                }
                AtomicReference<Throwable> error = new AtomicReference<>();
                session.submit(transaction).subscribe(commit -> {}, error::set);
                FaultyFileSystem.heal();
                if (error.get() == null) {
                    acknowledged = transaction.id();
                } else {
                    failures++;
                    session = Stores.lane(store, 0);
                    assertThat(session.restored().transaction())
                            .as("round %d", round)
                            .isBetween(acknowledged, transaction.id());
                    acknowledged = session.restored().transaction();
                }
            }
        }
        System.out.printf("store header: %d commits, %d of them failed, seed %d%n", ROUNDS, failures, seed);
        assertThat(failures).isGreaterThan(ROUNDS / 20);
    }
}
