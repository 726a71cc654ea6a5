package io.fluxmark.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.h2.store.fs.FilePath;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.test.StepVerifier;

class PowerCutTest {

    private static final int COMMITS = Stores.THOROUGH ? 400 : 30;
    private static final int MIN_TRIALS = Stores.THOROUGH ? 1500 : 150;

    @TempDir
    Path directory;

    private long acknowledged;
    private long submitted;
    private int trials;
    private int newer;
    private int older;
    private int number;
    private boolean cutting;

    /** How many acknowledged transactions a cut may take. */
    private long losable;

    @ParameterizedTest(name = "blocks of {0} bytes, retention {1} ms, durability {2}")
    @CsvSource({"512, 0, SYNC", "4096, 0, SYNC", "512, 5000, SYNC", "512, 0, OS", "4096, 0, OS"})
    void everyAcknowledgedTransactionSurvivesAndNothingIsTorn(int block, int retention, StoreDurability durability)
            throws IOException {
        losable = durability == StoreDurability.OS ? 1 : 0;
        long seed = 4711L + block + retention;
        Random random = new Random(seed);
        CrashModel model = new CrashModel(seed);
        FilePath.register(new PowerCutFileSystem());
        Path origin = Files.createDirectory(directory.resolve("origin"));
        StoreSpec spec = Stores.synchronous()
                .retention(Duration.ofMillis(retention))
                .dropSlice(7)
                .durability(durability)
                .filePrefix(StoreFileSystem.SAFE + ":" + PowerCutFileSystem.SCHEME + ":");
        try (StateStore store = Stores.open(origin, spec)) {
            PowerCutFileSystem.Disk disk =
                    PowerCutFileSystem.disk(origin.resolve("state.mv").toString());
            disk.afterChange(() -> cut(disk, model, random, block));
            LaneSession session = Stores.lane(store, 0);
            cutting = true;
            try {
                for (int i = 0; i < COMMITS; i++) {
                    submitted = acknowledged + 1;
                    Stores.await(model.submit(session));
                    acknowledged = submitted;
                }
            } finally {
                cutting = false;
            }
            model.verify(store, Stores.lane(store, 0));
        }
        System.out.printf(
                "power cuts: block %d, retention %d ms, durability %s, seed %d: %d trials, %d recovered a newer commit, %d an older one%n",
                block, retention, durability, seed, trials, newer, older);
        assertThat(trials).isGreaterThanOrEqualTo(MIN_TRIALS);
        assertThat(newer).isPositive();
        assertThat(older > 0).as("older commits with %s", durability).isEqualTo(durability == StoreDurability.OS);
    }

    @Test
    void anOrderlyCloseForcesWhatWasLeftToTheOperatingSystem() throws IOException {
        CrashModel model = new CrashModel(1);
        FilePath.register(new PowerCutFileSystem());
        Path origin = Files.createDirectory(directory.resolve("origin"));
        StoreSpec spec = Stores.synchronous()
                .durability(StoreDurability.OS)
                .filePrefix(StoreFileSystem.SAFE + ":" + PowerCutFileSystem.SCHEME + ":");
        try (StateStore store = Stores.open(origin, spec)) {
            LaneSession session = Stores.lane(store, 0);
            Stores.await(model.submit(session));
            submitted = 1;
        }
        acknowledged = 1;
        cutting = true;
        PowerCutFileSystem.Disk disk =
                PowerCutFileSystem.disk(origin.resolve("state.mv").toString());
        for (int i = 0; i < 10; i++) {
            cut(disk, model, new Random(i), 512);
        }
        assertThat(trials).isEqualTo(10);
    }

    @Test
    void whatAFailedForceLeftBehindIsWrittenAgainBeforeItIsReliedOn() throws IOException {
        int rounds = Stores.THOROUGH ? 300 : 40;
        long seed = 77;
        Random random = new Random(seed);
        CrashModel model = new CrashModel(seed);
        FilePath.register(new PowerCutFileSystem());
        Path origin = Files.createDirectory(directory.resolve("origin"));
        StoreSpec spec = Stores.synchronous().filePrefix(StoreFileSystem.SAFE + ":" + PowerCutFileSystem.SCHEME + ":");
        try (StateStore store = Stores.open(origin, spec)) {
            PowerCutFileSystem.Disk disk =
                    PowerCutFileSystem.disk(origin.resolve("state.mv").toString());
            LaneSession session = Stores.lane(store, 0);
            int kept = 0;
            for (int round = 0; round < rounds; round++) {
                for (int i = random.nextInt(3); i >= 0; i--) {
                    Stores.await(model.submit(session));
                }
                acknowledged = session.committedTransaction();
                int forces = random.nextInt(3);
                AtomicInteger seen = new AtomicInteger();
                disk.afterChange(() -> {
                    if (seen.getAndIncrement() == forces) {
                        disk.failNextForce();
                    }
                });
                StepVerifier.create(model.submit(session))
                        .expectError(StoreReopenedException.class)
                        .verify(Stores.PATIENCE);
                disk.afterChange(() -> {});
                session = Stores.lane(store, 0);
                kept += session.restored().transaction() > acknowledged ? 1 : 0;
                acknowledged = session.restored().transaction();
                submitted = acknowledged;
                cutting = true;
                cut(disk, model, random, 512);
                cutting = false;
            }
            System.out.printf("failed forces: seed %d, %d rounds, %d kept the transaction%n", seed, rounds, kept);
            assertThat(kept).isPositive();
        }
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
            assertThat(recovered).as("cut %d", number).isBetween(acknowledged - losable, submitted);
            newer += recovered > acknowledged ? 1 : 0;
            older += recovered < acknowledged ? 1 : 0;
            model.verify(store, session);
            Stores.await(model.submit(session));
        }
        // The second opening meets whatever the first one wrote over the remains of the torn commit.
        try (StateStore store = Stores.open(copy, Stores.synchronous())) {
            model.verify(store, Stores.lane(store, 0));
        }
    }
}
