package io.fluxmark.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** C76: many commits over little data make no large file. */
class StoreGrowthTest {

    @TempDir
    Path directory;

    @Test
    void fileStaysWithinTenTimesItsLiveDataOverManyCommits() {
        int commits = Stores.THOROUGH ? 10_000 : 2_000;
        int keys = 200;
        int valueBytes = 100;
        long live = keys * (valueBytes + 8L);
        Random random = new Random(7);
        try (StateStore store = Stores.open(directory, Stores.synchronous())) {
            LaneSession session = Stores.lane(store, 0);
            long largest = 0;
            for (int commit = 0; commit < commits; commit++) {
                LaneTransaction transaction = session.begin();
                for (int i = 0; i < 5; i++) {
                    byte[] value = new byte[valueBytes];
                    random.nextBytes(value);
                    transaction.put(StoreTable.STATE, Stores.bytes(random.nextInt(keys)), value);
                }
                transaction.lane("offset", Stores.bytes(commit));
                Stores.await(session.submit(transaction));
                largest = Math.max(largest, Stores.await(store.info()).fileBytes());
            }
            System.out.printf(
                    "growth: %d commits, seed 7, %d bytes live, file at most %d bytes (%.1f x)%n",
                    commits, live, largest, (double) largest / live);
            assertThat(largest).isLessThanOrEqualTo(10 * live);
        }
    }
}
