package io.fluxmark.experiments;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReportSectionTest {

    @TempDir
    private Path directory;

    @Test
    void onlyTheOwnSectionIsReplacedHoweverOften() throws Exception {
        Path report = directory.resolve("REPORT.md");
        Files.write(
                report,
                List.of("a", "<!-- E1 -->", "old", "older", "<!-- /E1 -->", "b", "<!-- E2 -->", "<!-- /E2 -->"));

        assertThat(new ReportSection(report, "E1").fill(List.of("first"))).isTrue();
        assertThat(new ReportSection(report, "E1").fill(List.of("x", "y"))).isTrue();

        assertThat(report).hasContent("a\n<!-- E1 -->\nx\ny\n<!-- /E1 -->\nb\n<!-- E2 -->\n<!-- /E2 -->");
    }

    @Test
    void withoutTheFileOrTheMarksNothingIsWritten() throws Exception {
        Path report = directory.resolve("REPORT.md");
        assertThat(new ReportSection(report, "E1").fill(List.of("x"))).isFalse();
        assertThat(report).doesNotExist();

        Files.write(report, List.of("<!-- /E1 -->", "<!-- E1 -->"));
        assertThat(new ReportSection(report, "E1").fill(List.of("x"))).isFalse();
        assertThat(report).hasContent("<!-- /E1 -->\n<!-- E1 -->");
    }
}
