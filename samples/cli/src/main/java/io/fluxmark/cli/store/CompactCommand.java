package io.fluxmark.cli.store;

import io.fluxmark.cli.console.Texts;
import io.fluxmark.state.OfflineStore;
import java.io.IOException;
import picocli.CommandLine.Command;

/** Writes a store's file afresh. */
@Command(
        name = "compact",
        description = {
            "Write the newest commit into a new file without free space and earlier commits, and put it in the place of the old",
            "one. Needs room for both. A running service keeps its file small by itself."
        })
final class CompactCommand extends DirectoryCommand {

    @Override
    int run() throws IOException {
        requireStore();
        OfflineStore.Compaction done = OfflineStore.compact(directory());
        console()
                .print(Texts.count(done.bytesBefore(), "byte") + " before, " + Texts.count(done.bytesAfter(), "byte")
                        + " after");
        return 0;
    }
}
