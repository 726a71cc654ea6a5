package io.fluxmark.cli.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.fluxmark.cli.console.DocumentedPage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** The page docs/log.md, from top to bottom: each command prints what stands there. */
class DocumentedCommandsTest {

    private static final Path PAGE = Path.of("../../docs/log.md");

    @TempDir
    Path directory;

    @Test
    void everyCommandPrintsWhatThePageSays() throws Exception {
        LogRuns runs = new LogRuns();
        DocumentedPage documented = new DocumentedPage(directory, (input, args) -> {
            LogRuns.Run run = runs.run(input, args);
            return new DocumentedPage.Run(run.exit(), run.output());
        });
        String page = Files.readString(PAGE);
        assertThat(documented.replayed(page)).isEqualTo(page);
        assertThat(documented.used())
                .as("commands with an example")
                .isEqualTo(new TreeSet<>(
                        new CommandLine(new LogCommand()).getSubcommands().keySet()));
    }
}
