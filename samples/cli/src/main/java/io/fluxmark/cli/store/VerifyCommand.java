package io.fluxmark.cli.store;

import io.fluxmark.cli.console.Progress;
import io.fluxmark.cli.console.ProgressOption;
import io.fluxmark.sinks.RowCheck;
import io.fluxmark.state.OfflineStore;
import io.fluxmark.state.StateStore;
import io.fluxmark.state.StateStoreException;
import io.fluxmark.state.StoreLockedException;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Reads a store as a whole for damage. */
@Command(
        name = "verify",
        description = {
            "Read all of a store: every value against its checksum, and whether lanes, rows, numbers and counters fit together.",
            "Exit code 1 if anything is wrong. Changes nothing."
        })
final class VerifyCommand extends DirectoryCommand {

    @Mixin
    private ProgressOption progress = new ProgressOption();

    @Override
    int run() throws IOException {
        requireStore();
        OfflineStore.Verification found;
        try (Progress shown = progress.start(console(), "verifying", "entries", -1)) {
            found = OfflineStore.verify(directory(), shown::stepTo);
        }
        List<String> damages = found.damages().isEmpty() ? ofRows() : found.damages();
        for (String damage : damages) {
            console().print("damaged: " + damage);
        }
        if (!damages.isEmpty()) {
            return DAMAGED;
        }
        long entries =
                found.entries().values().stream().mapToLong(Long::longValue).sum();
        console()
                .print("commit " + found.commit() + " is intact: "
                        + entries + " entries, of which " + found.hidden()
                        + " wait for removal");
        return 0;
    }

    private List<String> ofRows() {
        try (StateStore store = open()) {
            return get(RowCheck.of(store));
        } catch (StoreLockedException e) {
            throw e;
        } catch (StateStoreException e) {
            return List.of(String.valueOf(e.getMessage()));
        }
    }
}
