package io.fluxmark.state;

import static io.fluxmark.state.Stores.await;
import static io.fluxmark.state.Stores.bytes;
import static io.fluxmark.state.Stores.lane;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OfflineStoreTest {

    private static final int KEYS = 400;

    @TempDir
    Path directory;

    private Path file() {
        return directory.resolve("state.mv");
    }

    private void fill(int commits) {
        try (StateStore store = Stores.open(directory)) {
            LaneSession session = lane(store, 0);
            for (int i = 0; i < commits; i++) {
                LaneTransaction transaction = session.begin();
                for (long key = 0; key < KEYS; key++) {
                    transaction.put(StoreTable.ROWS, bytes(key), Arrays.copyOf(bytes(i), 100));
                    transaction.put(StoreTable.STATE, bytes(key), bytes(i));
                }
                await(session.submit(transaction));
            }
            LaneTransaction drop = session.begin();
            drop.dropRange(StoreTable.STATE, bytes(100), bytes(KEYS));
            await(session.submit(drop));
        }
    }

    @Test
    void anIntactStoreIsVerifiedWithoutAChangeToItsFile() throws IOException {
        fill(5);
        byte[] before = Files.readAllBytes(file());
        OfflineStore.Verification verification = OfflineStore.verify(directory, read -> {});
        assertThat(verification.damages()).isEmpty();
        assertThat(verification.commit()).isPositive();
        assertThat(verification.entries()).containsEntry("rows", (long) KEYS).containsEntry("lanes", 1L);
        assertThat(verification.entries().get("state") - verification.hidden()).isEqualTo(100);
        assertThat(Files.readAllBytes(file())).isEqualTo(before);
    }

    @Test
    void compactingKeepsEverythingVisibleInAFileWithoutFreeSpace() throws IOException {
        fill(60);
        List<StoreEntry> rows;
        List<StoreEntry> state;
        long commit;
        try (StateStore store = Stores.open(directory)) {
            rows = Stores.rows(store);
            state = await(store.readState("job", 0, new byte[0], null).collectList());
            commit = await(store.info()).commit();
        }
        OfflineStore.Compaction compaction = OfflineStore.compact(directory);
        assertThat(compaction.bytesAfter()).isEqualTo(Files.size(file())).isLessThan(compaction.bytesBefore());
        OfflineStore.Verification verification = OfflineStore.verify(directory, read -> {});
        assertThat(verification.damages()).isEmpty();
        assertThat(verification.hidden()).isZero();
        try (StateStore store = Stores.open(directory)) {
            assertThat(Stores.rows(store)).isEqualTo(rows).hasSize(KEYS);
            assertThat(await(store.readState("job", 0, new byte[0], null).collectList()))
                    .isEqualTo(state)
                    .hasSize(100);
            assertThat(await(store.info()).commit()).isEqualTo(commit);
            Stores.put(lane(store, 0), StoreTable.ROWS, "k", "v");
        }
        System.out.printf("compact: %d bytes before, %d after%n", compaction.bytesBefore(), compaction.bytesAfter());
    }

    @Test
    void damageIsFoundWhereverReadingWouldMeetIt() throws IOException {
        fill(3);
        OfflineStore.compact(directory);
        byte[] intact = Files.readAllBytes(file());
        Random random = new Random(23);
        int found = 0;
        int rounds = Stores.THOROUGH ? 2_000 : 150;
        for (int i = 0; i < rounds; i++) {
            byte[] bytes = intact.clone();
            bytes[random.nextInt(bytes.length)] ^= (byte) (1 << random.nextInt(8));
            Files.write(file(), bytes);
            OfflineStore.Verification verification = OfflineStore.verify(directory, read -> {});
            if (verification.damages().isEmpty()) {
                // A bit that means nothing: everything is still there.
                try (StateStore store = Stores.open(directory)) {
                    assertThat(Stores.rows(store)).hasSize(KEYS).allMatch(entry -> Stores.number(entry.value()) == 2);
                    assertThat(await(
                                    store.readState("job", 0, new byte[0], null).collectList()))
                            .hasSize(100);
                }
            } else {
                found++;
            }
        }
        System.out.printf("verify: %d of %d flipped bits found, the others change nothing (seed 23)%n", found, rounds);
        assertThat(found).isGreaterThan(rounds / 2);
    }

    @Test
    void anOpenStoreIsLockedAndAMissingOneIsNotMade() {
        assertThatThrownBy(() -> OfflineStore.verify(directory, read -> {}))
                .hasMessageContaining("There is no store in");
        assertThatThrownBy(() -> OfflineStore.compact(directory.resolve("x")))
                .hasMessageContaining("There is no store in");
        assertThat(directory).isEmptyDirectory();
        try (StateStore store = Stores.open(directory)) {
            assertThatThrownBy(() -> OfflineStore.verify(directory, read -> {}))
                    .isInstanceOf(StoreLockedException.class);
            assertThatThrownBy(() -> OfflineStore.compact(directory)).isInstanceOf(StoreLockedException.class);
            assertThat(OfflineStore.exists(directory)).isTrue();
            assertThat(await(store.info()).reopenings()).isZero();
        }
    }
}
