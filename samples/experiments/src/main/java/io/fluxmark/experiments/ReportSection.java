package io.fluxmark.experiments;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The lines of a report between {@code <!-- E1 -->} and {@code <!-- /E1 -->}. */
final class ReportSection {

    private final Path report;
    private final String begin;
    private final String end;

    ReportSection(Path report, String name) {
        this.report = report;
        this.begin = "<!-- " + name + " -->";
        this.end = "<!-- /" + name + " -->";
    }

    /** Replaces what is between the marks; false, and nothing is changed, if the report or the marks are missing. */
    boolean fill(List<String> text) throws IOException {
        if (!Files.exists(report)) {
            return false;
        }
        List<String> lines = Files.readAllLines(report, StandardCharsets.UTF_8);
        int from = lines.indexOf(begin);
        int to = lines.indexOf(end);
        if (from < 0 || to < from) {
            return false;
        }
        List<String> filled = new ArrayList<>(lines.subList(0, from + 1));
        filled.addAll(text);
        filled.addAll(lines.subList(to, lines.size()));
        Files.write(report, filled, StandardCharsets.UTF_8);
        return true;
    }
}
