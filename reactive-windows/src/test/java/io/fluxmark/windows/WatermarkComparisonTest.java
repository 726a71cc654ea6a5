package io.fluxmark.windows;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The convention of watermarks stands in one place: nobody but {@link Watermark} compares one (S01). */
class WatermarkComparisonTest {

    private static final Pattern COMPARISON = Pattern.compile(
            "\\b\\w*[wW]atermark(\\(\\)|After\\(\\)|Before\\(\\w+\\))?\\s*[<>]=?[^<>\\w]|[<>]=?\\s*\\w*[wW]atermark\\b(?!<)");

    private static List<String> comparisons(String name, List<String> lines) {
        List<String> found = new ArrayList<>();
        for (String line : lines) {
            String code = line.strip();
            boolean comment = code.startsWith("*") || code.startsWith("/*") || code.startsWith("//");
            String types = code.replaceAll("\\b[A-Z]\\w*<[^;(){}]*>", "T").replace("->", "");
            if (!comment && COMPARISON.matcher(types).find()) {
                found.add(name + ": " + code);
            }
        }
        return found;
    }

    @Test
    void nobodyElseComparesWatermarks() throws IOException {
        List<String> found = new ArrayList<>();
        int files = 0;
        try (Stream<Path> sources = Files.walk(Path.of("src/main/java"))) {
            for (Path source :
                    sources.filter(path -> path.toString().endsWith(".java")).toList()) {
                files++;
                if (!source.endsWith("Watermark.java")) {
                    found.addAll(comparisons(source.getFileName().toString(), Files.readAllLines(source)));
                }
            }
        }
        assertThat(files).isGreaterThan(30);
        assertThat(found).isEmpty();
    }

    @Test
    void aComparisonIsFound() {
        List<String> lines = List.of(
                "if (timestamp <= watermark) {",
                "boolean due = watermark >= end - 1;",
                "return watermark < end;",
                "return end > lastWatermark;",
                "if (batch.watermarkAfter() > 3)",
                "// timestamp <= watermark",
                "Watermark<T> watermark = new Watermark<>(watermark);",
                "Function<Watermark<T>, Long> f = watermark -> watermark.timestamp();",
                "if (watermark == Watermark.NONE)");
        assertThat(comparisons("x", lines)).hasSize(5);
    }
}
