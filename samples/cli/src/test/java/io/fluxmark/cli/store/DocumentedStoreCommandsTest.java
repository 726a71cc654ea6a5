package io.fluxmark.cli.store;

import static org.assertj.core.api.Assertions.assertThat;

import io.fluxmark.cli.console.DocumentedPage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The page docs/store.md, from top to bottom: each command prints what stands there. */
class DocumentedStoreCommandsTest {

    private static final Path PAGE = Path.of("../../docs/store.md");

    @TempDir
    Path directory;

    @TempDir
    Path scratch;

    @Test
    void everyCommandPrintsWhatThePageSays() throws Exception {
        StoreRuns.departures(directory.resolve("data/state"), scratch);
        DocumentedPage documented = new DocumentedPage(directory, (input, args) -> StoreRuns.run(args));
        String page = Files.readString(PAGE);
        assertThat(documented.replayed(page)).isEqualTo(page);
        assertThat(documented.used())
                .as("commands with an example")
                .isEqualTo(new TreeSet<>(
                        new CommandLine(new StoreCommand()).getSubcommands().keySet()));
    }
}
