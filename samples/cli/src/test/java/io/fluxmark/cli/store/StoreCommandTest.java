package io.fluxmark.cli.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.fluxmark.cli.console.DocumentedPage;
import io.fluxmark.sinks.TransactionalSink;
import io.fluxmark.state.KeyBytes;
import io.fluxmark.state.LaneSession;
import io.fluxmark.state.LaneTransaction;
import io.fluxmark.state.StateStore;
import io.fluxmark.state.StoreTable;
import io.fluxmark.windows.Codec;
import io.fluxmark.windows.KeyCodec;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StoreCommandTest {

    @TempDir
    Path directory;

    @TempDir
    Path scratch;

    private Path state;

    @BeforeEach
    void fill() {
        state = directory.resolve("state");
        StoreRuns.departures(state, scratch);
    }

    private DocumentedPage.Run run(String command, String... options) {
        String[] args = new String[options.length + 4];
        System.arraycopy(new String[] {"store", command, "--dir", state.toString()}, 0, args, 0, 4);
        System.arraycopy(options, 0, args, 4, options.length);
        return StoreRuns.run(args);
    }

    private static void assertRefused(DocumentedPage.Run run, String message) {
        assertThat(run.output()).contains(message).contains("See: ./fluxmark store ");
        assertThat(run.exit()).isEqualTo(64);
    }

    @Test
    void helpNamesTheCommandsAndTheirOptions() {
        assertThat(StoreRuns.run("store", "--help").output())
                .contains("describe", "rows", "digest", "verify", "compact", "savepoint", "restore")
                .contains("Exit codes");
        assertThat(StoreRuns.run("store", "rows", "--help").output())
                .contains("--dir", "--sink", "--key", "--from", "--to", "--changes", "--limit");
        DocumentedPage.Run none = StoreRuns.run("store");
        assertThat(none.exit()).isEqualTo(64);
        assertThat(none.output()).contains("use describe, rows, digest, verify, compact, savepoint, restore");
    }

    @Test
    void wrongOptionsAreNamedWithTheRemedy() {
        assertRefused(
                StoreRuns.run("store", "describe", "--dir", directory + "/no"), "there is no store in " + directory);
        assertThat(directory.resolve("no")).doesNotExist();
        assertRefused(run("rows", "--sink", "by-day"), "there is no sink 'by-day' in " + state);
        assertRefused(run("rows", "--sink", "by-day"), "but changelog by-hour, late too-late, table by-hour");
        assertRefused(run("rows", "--sink", "too-late", "--changes"), "there is no changelog 'too-late'");
        assertRefused(run("rows", "--sink", "too-late", "--key", "FRA"), "have no key");
        assertRefused(run("rows", "--sink", "by-hour", "--from", "noon"), "'noon' is no time");
        assertRefused(
                run("rows", "--sink", "by-hour", "--from", "2026-01-05T08:00:00Z", "--to", "2026-01-05T08:00:00Z"),
                "is not before --to");
        assertRefused(run("rows", "--sink", "by-hour", "--limit", "0"), "--limit is 0");
        assertRefused(run("rows", "--sink", "by-hour", "--key", "base64:CQk="), "is not a key of by-hour");
        assertRefused(
                run("digest", "--job", "arrivals"), "there is no job 'arrivals' in " + state + ", but departures");
        assertRefused(run("digest", "--sink", "by-day"), "there is no sink 'by-day'");
        assertRefused(run("digest", "--sink", "by-hour", "--job", "departures"), "exclude each other");
        assertRefused(run("savepoint", "--to", directory.toString(), "--name", "../x"), "'../x'");
        assertRefused(run("restore", "--savepoint", directory.toString()), "is no complete savepoint");
    }

    @Test
    void aStoreThatIsOpenIsLeftAloneAndSaysWhatToDo() {
        try (StateStore store = StateStore.open(state).block(StoreRuns.PATIENCE)) {
            for (List<String> command : List.of(
                    List.of("describe"),
                    List.of("rows", "--sink", "by-hour"),
                    List.of("digest"),
                    List.of("verify"),
                    List.of("compact"),
                    List.of("savepoint", "--to", directory.resolve("s").toString(), "--name", "n"))) {
                DocumentedPage.Run run =
                        run(command.get(0), command.subList(1, command.size()).toArray(String[]::new));
                assertThat(run.exit()).as("%s", command).isEqualTo(70);
                assertThat(run.output()).contains("the store is open in a process: stop that one first");
            }
            assertThat(TransactionalSink.<String, Long>table(store, "by-hour", KeyCodec.tagged(), Codec.longs())
                            .rows()
                            .count()
                            .block(StoreRuns.PATIENCE))
                    .isPositive();
        }
    }

    @Test
    void lookingChangesNothingInTheFile() throws IOException {
        byte[] before = Files.readAllBytes(state.resolve("state.mv"));
        assertThat(run("describe").exit()).isZero();
        assertThat(run("rows", "--sink", "by-hour").exit()).isZero();
        assertThat(run("digest").exit()).isZero();
        assertThat(run("verify").exit()).isZero();
        assertThat(run("savepoint", "--to", directory.resolve("s").toString(), "--name", "n")
                        .exit())
                .isZero();
        assertThat(Files.readAllBytes(state.resolve("state.mv"))).isEqualTo(before);
    }

    @Test
    void damageIsFoundByVerifyAndSaidByRows() throws IOException {
        byte[] bytes = Files.readAllBytes(state.resolve("state.mv"));
        int damaged = 0;
        for (int at = 0; at < bytes.length; at += 97) {
            byte[] copy = bytes.clone();
            copy[at] ^= 0x10;
            Files.write(state.resolve("state.mv"), copy);
            DocumentedPage.Run verified = run("verify");
            assertThat(verified.exit()).as(verified.output()).isIn(0, 1);
            if (verified.exit() == 1) {
                damaged++;
                assertThat(verified.output()).startsWith("damaged: ");
            } else {
                Files.write(state.resolve("state.mv"), copy);
                assertThat(run("digest").exit()).isZero();
            }
        }
        System.out.printf("store verify: %d of %d flipped bits found%n", damaged, bytes.length / 97 + 1);
        assertThat(damaged).isPositive();
    }

    @Test
    void aRowOfASideTableChangesTheDigest() {
        String before = run("digest").output();
        putAside("k@1");
        String one = run("digest").output();
        assertThat(one).endsWith("4 rows, 8 changes, 1 late event, 1 diverted event\n");
        assertThat(one.substring(0, 64)).isNotEqualTo(before.substring(0, 64));
        putAside("k@2");
        assertThat(run("digest").output().substring(0, 64)).isNotEqualTo(one.substring(0, 64));
    }

    private void putAside(String event) {
        byte[] key = KeyBytes.key().add("aside").add(0).add(0L).toBytes();
        try (StateStore store = StateStore.open(state).block(StoreRuns.PATIENCE)) {
            LaneSession lane = store.openLane("departures", 0).block(StoreRuns.PATIENCE);
            LaneTransaction transaction = lane.begin();
            transaction.put(StoreTable.SIDE, key, event.getBytes(StandardCharsets.UTF_8));
            lane.submit(transaction).block(StoreRuns.PATIENCE);
        }
    }

    @Test
    void whatIsRestoredUnderAnotherNameHasTheSameDigestWithoutNames() {
        String savepoints = directory.resolve("s").toString();
        assertThat(run("savepoint", "--to", savepoints, "--name", "n").exit()).isZero();
        Path other = directory.resolve("other");
        DocumentedPage.Run restored = StoreRuns.run(
                "store",
                "restore",
                "--dir",
                other.toString(),
                "--savepoint",
                savepoints + "/n",
                "--rename",
                "departures=again");
        assertThat(restored.exit()).isZero();
        String before = run("digest").output();
        String after =
                StoreRuns.run("store", "digest", "--dir", other.toString()).output();
        assertThat(after).isNotEqualTo(before);
        String nameless = run("digest", "--without-job-names").output();
        assertThat(StoreRuns.run("store", "digest", "--dir", other.toString(), "--without-job-names")
                        .output())
                .isEqualTo(nameless);
        assertThat(restored.output()).contains("digest " + nameless.substring(0, 64));
        assertThat(run("restore", "--savepoint", savepoints + "/n").output()).contains("There is a store in");
        assertThat(run("restore", "--savepoint", savepoints + "/n").exit()).isEqualTo(70);
    }
}
