package io.fluxmark.experiments.measure;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** Rows of plain values with a header. Values hold no comma and no quote. */
public final class CsvFile {

    private final List<String> lines = new ArrayList<>();

    /** A file with these columns. */
    public CsvFile(String... columns) {
        lines.add(String.join(",", columns));
    }

    /** Adds a row. */
    public CsvFile row(Object... values) {
        lines.add(Arrays.stream(values).map(String::valueOf).collect(Collectors.joining(",")));
        return this;
    }

    /** Writes it. */
    public void write(Path file) throws IOException {
        Files.write(file, lines, StandardCharsets.UTF_8);
    }
}
