package io.fluxmark.experiments.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Holds a text of the report to the files it was made with. */
public final class ReportedFigures {

    private static final Pattern FIGURE =
            Pattern.compile("!\\[[^]]+]\\(samples/experiments/results/E[0-9]+/([^)]+)\\)");
    private static final int LARGEST_CSV = 200_000;
    private static final int LEAST_STATE_SAMPLES = 20;

    private ReportedFigures() {}

    /** Every row of a table is part of a row of a file, every figure is there and has something in it. */
    public static void hold(List<String> text, Path directory) throws IOException {
        List<List<String>> rows = csvRows(directory);
        List<String> reported = text.stream()
                .filter(line -> line.startsWith("| ") && !line.contains("---"))
                .toList();
        assertThat(reported).as("tables of " + directory).isNotEmpty();
        int found = 0;
        for (String line : reported) {
            List<String> cells = Arrays.stream(line.substring(1).split("\\|"))
                    .map(cell -> cell.trim().replace(",", ""))
                    .toList();
            boolean isThere = rows.stream().anyMatch(row -> holdsInOrder(row, cells));
            assertThat(isThere || isHeading(text, line))
                    .as(line + " in " + directory)
                    .isTrue();
            found += isThere ? 1 : 0;
        }
        assertThat(found).isPositive();
        Matcher figures = FIGURE.matcher(String.join("\n", text));
        assertThat(figures.results().map(match -> directory.resolve(match.group(1))))
                .isNotEmpty()
                .allSatisfy(figure -> assertThat(figure).isRegularFile());
    }

    /** A file says how much was held: often enough to see, and neither never anything nor always the same. */
    public static void showsState(Path file) throws IOException {
        assertThat(Table.read(file).numbers("entries")).hasSizeGreaterThan(LEAST_STATE_SAMPLES);
        assertThat(Table.read(file).numbers("entries").stream().distinct())
                .as("different amounts in " + file)
                .hasSizeGreaterThan(2);
    }

    /** The files with figures, each of which is small. */
    private static List<List<String>> csvRows(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.toString().endsWith(".csv"))
                    .peek(file -> assertThat(file.toFile().length()).isBetween(1L, (long) LARGEST_CSV))
                    .flatMap(ReportedFigures::rows)
                    .toList();
        }
    }

    private static Stream<List<String>> rows(Path file) {
        try {
            return Table.read(file).rows().stream();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isHeading(List<String> text, String line) {
        int next = text.indexOf(line) + 1;
        return next < text.size() && text.get(next).contains("---");
    }

    private static boolean holdsInOrder(List<String> row, List<String> cells) {
        Iterator<String> remaining = row.iterator();
        return cells.stream().allMatch(cell -> {
            while (remaining.hasNext()) {
                if (remaining.next().equals(cell)) {
                    return true;
                }
            }
            return false;
        });
    }
}
