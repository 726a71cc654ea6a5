package io.fluxmark.state;

import static io.fluxmark.state.Stores.await;
import static io.fluxmark.state.Stores.lane;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.h2.store.fs.FilePath;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A savepoint is killed before each of its writes, forces and renames: it has its name as a whole, or not at all. */
class SavepointCrashTest {

    /** Two slices of the copy, and a commit of each. */
    private static final int VALUE_BYTES = Stores.THOROUGH ? 16_000 : 8_000;

    @TempDir
    Path directory;

    @BeforeEach
    void register() {
        FilePath.register(new WatchedFileSystem());
    }

    @AfterEach
    void forget() {
        WatchedFileSystem.listen(() -> {});
    }

    @Test
    void killedAtAnyOfItsWritesItIsWholeOrNoneAndTheStoreIsUnharmed() throws IOException {
        Path savepoints = Files.createDirectory(directory.resolve("savepoints"));
        List<Path> images = new ArrayList<>();
        Runnable image = () -> {
            Path place = directory.resolve("image" + images.size());
            try {
                SavepointCrash.copy(savepoints, place);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            images.add(place);
        };
        Path live = directory.resolve("live");
        try (StateStore store = Stores.open(live, StoreSpec.defaults().cacheMegabytes(1))) {
            LaneSession session = lane(store, 0);
            await(SavepointCrash.write(session, 1, VALUE_BYTES));
            SavepointSpec spec = SavepointSpec.named("s").crashing(WatchedFileSystem.PREFIX, image);
            WatchedFileSystem.listen(image);
            await(Savepoints.take(store, savepoints, spec));
            WatchedFileSystem.listen(() -> {});
            image.run();
            int whole = 0;
            int unfinished = 0;
            for (Path left : images) {
                Path scratch = left.resolveSibling(left.getFileName() + "-restored");
                whole += SavepointCrash.check(left, scratch);
                unfinished += Files.exists(left.resolve("s" + Savepoints.UNFINISHED)) ? 1 : 0;
                // The next one of the name takes away what is left, from the same store, which nothing has happened to.
                if (Files.exists(left.resolve("s"))) {
                    continue;
                }
                Savepoint again = await(Savepoints.take(store, left, SavepointSpec.named("s")));
                assertThat(Savepoints.list(left)).containsExactly(again);
                assertThat(left.resolve("s" + Savepoints.UNFINISHED)).doesNotExist();
                assertThat(again.commit()).isEqualTo(await(store.info()).commit());
            }
            System.out.printf(
                    "savepoint crashes: killed at %d boundaries, %d with an unfinished one, refused, %d with a whole one,"
                            + " restored%n",
                    images.size(), unfinished, whole);
            assertThat(whole).as("behind the rename, and at the end").isEqualTo(2);
            assertThat(unfinished).isGreaterThan(8).isGreaterThanOrEqualTo(images.size() - 3);
            await(SavepointCrash.write(session, 2, 10));
            assertThat(SavepointCrash.version(store)).isEqualTo(2);
            assertThat(await(store.info()).reopenings()).isZero();
        }
        assertThat(OfflineStore.verify(live, read -> {}).damages()).isEmpty();
    }

    @Test
    void aManifestThatIsCutAnywhereUnderTheNameOfASavepointIsOneClearError() throws IOException {
        Path savepoints = Files.createDirectory(directory.resolve("savepoints"));
        Savepoint savepoint;
        try (StateStore store = Stores.open(directory.resolve("live"))) {
            await(SavepointCrash.write(lane(store, 0), 1, 10));
            savepoint = await(Savepoints.take(store, savepoints, SavepointSpec.named("s")));
        }
        Path manifest = savepoint.directory().resolve("MANIFEST");
        byte[] intact = Files.readAllBytes(manifest);
        for (int length = 0; length < intact.length - 1; length++) {
            Files.write(manifest, Arrays.copyOf(intact, length));
            assertThatThrownBy(() -> Savepoints.read(savepoint.directory()))
                    .as("cut to %d bytes", length)
                    .isExactlyInstanceOf(StateStoreException.class)
                    .hasMessageContaining("MANIFEST of savepoint " + savepoint.directory() + " cannot be read");
        }
        System.out.printf("savepoint manifests: cut at %d places, each refused%n", intact.length - 1);
        Files.write(manifest, intact);
        assertThat(Savepoints.read(savepoint.directory())).isEqualTo(savepoint);
    }
}
