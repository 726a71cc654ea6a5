package io.fluxmark.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.h2.store.fs.FilePath;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PowerCutTest {

    private static final int COMMITS = Stores.THOROUGH ? 400 : 36;
    private static final int MIN_TRIALS = Stores.THOROUGH ? 1500 : 200;

    @TempDir
    Path directory;

    private long acknowledged;
    private long submitted;
    private int trials;
    private int newer;
    private int number;
    private boolean cutting;

    @ParameterizedTest(name = "blocks of {0} bytes, retention {1} ms")
    @CsvSource({"512, 0", "4096, 0", "512, 5000"})
    void everyAcknowledgedTransactionSurvivesAndNothingIsTorn(int block, int retention) throws IOException {
        long seed = 4711L + block + retention;
        Random random = new Random(seed);
        CrashModel model = new CrashModel(seed);
        FilePath.register(new PowerCutFileSystem());
        Path origin = Files.createDirectory(directory.resolve("origin"));
        StoreSpec spec = Stores.synchronous()
                .retention(java.time.Duration.ofMillis(retention))
                .dropSlice(7)
                .filePrefix(StoreFileSystem.SAFE + ":" + PowerCutFileSystem.SCHEME + ":");
        try (StateStore store = Stores.open(origin, spec)) {
            PowerCutFileSystem.Disk disk =
                    PowerCutFileSystem.disk(origin.resolve("state.mv").toString());
            disk.afterChange(() -> cut(disk, model, random, block));
            LaneSession session = Stores.lane(store, 0);
            cutting = true;
            try {
                for (int i = 0; i < COMMITS; i++) {
                    LaneTransaction transaction = model.fill(session.begin());
                    submitted = transaction.id();
                    Stores.await(session.submit(transaction));
                    acknowledged = transaction.id();
                }
            } finally {
                cutting = false;
            }
            model.verify(store, Stores.lane(store, 0));
        }
        System.out.printf(
                "power cuts: block %d, retention %d ms, seed %d: %d trials, %d recovered a newer commit%n",
                block, retention, seed, trials, newer);
        assertThat(trials).isGreaterThanOrEqualTo(MIN_TRIALS);
        assertThat(newer).isPositive();
    }

    private void cut(PowerCutFileSystem.Disk disk, CrashModel model, Random random, int block) {
        if (!cutting) {
            return;
        }
        trials++;
        Path copy = directory.resolve("cut" + number++);
        try {
            Files.createDirectory(copy);
            Files.write(copy.resolve("state.mv"), disk.cut(random, block));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        try (StateStore store = Stores.open(copy, Stores.synchronous())) {
            LaneSession session = Stores.lane(store, 0);
            long recovered = session.restored().transaction();
            assertThat(recovered).as("cut %d", number).isBetween(acknowledged, submitted);
            newer += recovered > acknowledged ? 1 : 0;
            model.verify(store, session);
            Stores.await(session.submit(model.fill(session.begin())));
        }
        // The second opening meets whatever the first one wrote over the remains of the torn commit.
        try (StateStore store = Stores.open(copy, Stores.synchronous())) {
            model.verify(store, Stores.lane(store, 0));
        }
    }
}
