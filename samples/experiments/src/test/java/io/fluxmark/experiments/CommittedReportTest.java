package io.fluxmark.experiments;

import static org.assertj.core.api.Assertions.assertThat;

import io.fluxmark.experiments.measure.ReportedFigures;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What the report says today, against the files beside it. */
class CommittedReportTest {

    private static final Path ROOT = Path.of("..", "..");

    /** The first experiment's table also has differences of its file's columns. */
    static List<String> tabulated() {
        return Experiments.names().stream().filter(name -> !name.equals("E1")).toList();
    }

    @ParameterizedTest
    @MethodSource("tabulated")
    void everyNumberOfATableIsInTheFilesAndEveryFigureIsThere(String name) throws Exception {
        ReportedFigures.hold(section(name), ROOT.resolve("samples/experiments/results/" + name));
    }

    @ParameterizedTest
    @MethodSource("tabulated")
    void thePredictionOfTheReportIsThatOfTheNotebook(String name) throws Exception {
        String notebook = Files.readString(ROOT.resolve("samples/experiments/notebook/" + name + ".md"));
        String prediction = notebook.substring(
                notebook.indexOf("**", notebook.indexOf("## Prediction")) + 2,
                notebook.indexOf("**", notebook.indexOf("**", notebook.indexOf("## Prediction")) + 2));
        String report = Files.readString(ROOT.resolve("REPORT.md"));

        assertThat(words(report)).contains(words(prediction));
    }

    private static String words(String text) {
        return String.join(" ", text.split("\\s+"));
    }

    private static List<String> section(String name) throws Exception {
        List<String> report = Files.readAllLines(ROOT.resolve("REPORT.md"));
        return report.subList(report.indexOf("<!-- " + name + " -->") + 1, report.indexOf("<!-- /" + name + " -->"));
    }
}
