package io.fluxmark.state;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** C77: the end of a store's file is gone, or zeros are there instead. */
class StoreTailDamageTest {

    private static final int STEP = 4 << 10;
    private static final int MOST = 64 << 10;
    private static final int COMMITS = 120;
    private static final int MOST_COMMITS = 200;
    private static final long SEED = 77;

    @TempDir
    Path directory;

    private int commits;
    private int older;
    private int errors;

    /** What is left is all of an older commit, from where the log is read again, or nothing at all and a message that says so. */
    @Test
    void aFileCutOrZeroedAtItsEndOpensAtACommitOrSaysThatItDoesNot() throws IOException {
        CrashModel model = new CrashModel(SEED);
        Path place = Files.createDirectory(directory.resolve("store"));
        byte[] open;
        try (StateStore store = Stores.open(place, Stores.synchronous())) {
            LaneSession session = Stores.lane(store, 0);
            do {
                Stores.await(model.submit(session));
                commits++;
                open = Files.readAllBytes(place.resolve("state.mv"));
                // Where there was room for the newest commit is up to the store: it has to be at the end to be lost.
            } while (commits < COMMITS || (commits < MOST_COMMITS && !losesACommit(open)));
        }
        byte[] closed = Files.readAllBytes(place.resolve("state.mv"));
        for (int lost = STEP; lost <= MOST; lost += STEP) {
            assertOpensAtACommitOrNotAtAll(model, Arrays.copyOf(open, Math.max(0, open.length - lost)), "cut", lost);
            assertOpensAtACommitOrNotAtAll(
                    model, Arrays.copyOf(closed, Math.max(0, closed.length - lost)), "cut", lost);
            assertOpensAtACommitOrNotAtAll(model, zeroed(open, lost), "zeroed", lost);
            assertOpensAtACommitOrNotAtAll(model, zeroed(closed, lost), "zeroed", lost);
        }
        System.out.printf(
                "store tails: %d damages, %d opened at an older commit, %d refused, file of %d KiB, seed %d%n",
                4 * MOST / STEP, older, errors, closed.length >> 10, SEED);
        assertThat(older).isPositive();
    }

    private boolean losesACommit(byte[] file) throws IOException {
        Path place = Files.createTempDirectory(directory, "looked-at");
        Files.write(place.resolve("state.mv"), Arrays.copyOf(file, Math.max(0, file.length - MOST)));
        try (StateStore store = Stores.open(place, Stores.synchronous())) {
            return Stores.lane(store, 0).restored().transaction() < commits;
        } catch (StateStoreException e) {
            return false;
        }
    }

    private static byte[] zeroed(byte[] file, int last) {
        byte[] damaged = file.clone();
        Arrays.fill(damaged, Math.max(0, file.length - last), file.length, (byte) 0);
        return damaged;
    }

    private void assertOpensAtACommitOrNotAtAll(CrashModel model, byte[] file, String how, int lost)
            throws IOException {
        String as = "the last " + lost + " bytes " + how;
        Path place = Files.createTempDirectory(directory, "damaged");
        Files.write(place.resolve("state.mv"), file);
        try (StateStore store = Stores.open(place, Stores.synchronous())) {
            LaneSession session = Stores.lane(store, 0);
            long reached = session.restored().transaction();
            assertThat(reached).as(as).isBetween(0L, (long) commits);
            older += reached < commits ? 1 : 0;
            model.verify(store, session);
            for (long id = reached; id < commits; id++) {
                Stores.await(model.submit(session));
            }
            model.verify(store, Stores.lane(store, 0));
        } catch (StateStoreException e) {
            assertThat(e).as(as).hasMessageContaining(place.toString());
            errors++;
        }
    }
}
