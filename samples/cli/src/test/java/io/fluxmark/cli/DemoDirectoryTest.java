package io.fluxmark.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class DemoDirectoryTest {

    @TempDir
    private Path directory;

    @Test
    void aDirectoryOfOtherSettingsIsBadUsage() throws Exception {
        Files.writeString(directory.resolve("demo.properties"), "delay=PT1H\nlateness=PT2H\nlate=DROP\n");
        StringWriter err = new StringWriter();
        CommandLine command = Main.commandLine();
        command.setErr(new PrintWriter(err, true));

        assertThat(command.execute("demo", "--data", directory.toString())).isEqualTo(64);
        assertThat(err.toString()).contains("--delay PT1H, not PT2H").contains("another directory");
    }
}
