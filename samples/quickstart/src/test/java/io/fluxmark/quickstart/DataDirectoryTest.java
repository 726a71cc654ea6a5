package io.fluxmark.quickstart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DataDirectoryTest {

    @TempDir
    private Path temporary;

    @Test
    void aGivenDirectoryStaysAndTakesTheSameSettingsAgain() throws Exception {
        DemoSettings settings = DemoSettings.defaults().data(temporary.resolve("d"));

        DataDirectory.open(settings).close();
        DataDirectory.open(settings.checkpointEvents(10)).close();

        assertThat(temporary.resolve("d")).isDirectory();
    }

    @Test
    void otherSettingsAreRefusedByName() throws Exception {
        DemoSettings settings = DemoSettings.defaults().data(temporary);
        DataDirectory.open(settings).close();

        assertThatThrownBy(() -> DataDirectory.open(settings.delay(Duration.ofHours(3))))
                .isInstanceOf(DataMismatchException.class)
                .hasMessageContaining("--delay PT2H, not PT3H")
                .hasMessageContaining("another directory");
    }

    @Test
    void aTemporaryDirectoryGoesUnlessItIsKept() throws Exception {
        Path gone;
        try (DataDirectory directory = DataDirectory.open(DemoSettings.defaults())) {
            gone = directory.path();
            Files.createDirectories(directory.log().resolve("a/b"));
        }
        assertThat(gone).doesNotExist();

        Path kept;
        try (DataDirectory directory =
                DataDirectory.open(DemoSettings.defaults().keep(true))) {
            kept = directory.path();
        }
        assertThat(kept).exists();
        Files.delete(kept.resolve("demo.properties"));
        Files.delete(kept);
    }
}
