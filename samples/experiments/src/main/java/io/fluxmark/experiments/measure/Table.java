package io.fluxmark.experiments.measure;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Predicate;

/** Figures that stand in a CSV file and, some of their rows and columns, in the report: the same cells in both. */
public final class Table {

    private final List<String> columns;
    private final List<List<String>> rows;

    /** A table without rows. */
    public Table(String... columns) {
        this(List.of(columns), new ArrayList<>());
    }

    private Table(List<String> columns, List<List<String>> rows) {
        this.columns = columns;
        this.rows = rows;
    }

    /** The table that a file holds. */
    public static Table read(Path file) throws IOException {
        List<String> lines = Files.readAllLines(file, StandardCharsets.UTF_8);
        Table table = new Table(lines.get(0).split(",", -1));
        lines.subList(1, lines.size()).forEach(line -> table.row((Object[]) line.split(",", -1)));
        return table;
    }

    /** Adds a row, a cell for each column. */
    public Table row(Object... cells) {
        if (cells.length != columns.size()) {
            throw new IllegalArgumentException(
                    "a row of " + cells.length + " cells for the columns " + columns + ": " + Arrays.toString(cells));
        }
        List<String> row = Arrays.stream(cells).map(String::valueOf).toList();
        for (String cell : row) {
            if (cell.contains(",") || cell.contains("|")) {
                throw new IllegalArgumentException("a cell holds no comma and no bar, but was '" + cell + "'");
            }
        }
        rows.add(row);
        return this;
    }

    /** Writes the whole table. */
    public Table write(Path file) throws IOException {
        CsvFile csv = new CsvFile(columns.toArray(String[]::new));
        rows.forEach(row -> csv.row(row.toArray()));
        csv.write(file);
        return this;
    }

    /** The columns' names. */
    public List<String> columns() {
        return columns;
    }

    /** The cells, row by row. */
    public List<List<String>> rows() {
        return rows;
    }

    /** The rows whose cell in {@code column} is as wanted. */
    public Table where(String column, Predicate<String> wanted) {
        int index = index(column);
        return new Table(
                columns,
                rows.stream().filter(row -> wanted.test(row.get(index))).toList());
    }

    /** The same for one value. */
    public Table where(String column, Object value) {
        return where(column, String.valueOf(value)::equals);
    }

    /** The cells of a column. */
    public List<String> texts(String column) {
        int index = index(column);
        return rows.stream().map(row -> row.get(index)).toList();
    }

    /** The cells of a column, which are numbers. */
    public List<Double> numbers(String column) {
        return texts(column).stream().map(Double::valueOf).toList();
    }

    /** The cell of the only row there is. */
    public double number(String column) {
        if (rows.size() != 1) {
            throw new IllegalStateException(rows.size() + " rows where one was expected");
        }
        return numbers(column).get(0);
    }

    /**
     * Lines of Markdown, numbers to the right.
     *
     * @param columnsAndHeadings a column, what stands above it, the next column, and so on
     */
    public List<String> markdown(String... columnsAndHeadings) {
        List<Integer> shown = new ArrayList<>();
        StringBuilder headings = new StringBuilder("|");
        StringBuilder rule = new StringBuilder("|");
        for (int i = 0; i < columnsAndHeadings.length; i += 2) {
            int index = index(columnsAndHeadings[i]);
            shown.add(index);
            headings.append(' ').append(columnsAndHeadings[i + 1]).append(" |");
            rule.append(rows.stream().allMatch(row -> isNumber(row.get(index))) ? " ---: |" : " --- |");
        }
        List<String> lines = new ArrayList<>(List.of(headings.toString(), rule.toString()));
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder("|");
            shown.forEach(index ->
                    line.append(' ').append(Figures.readable(row.get(index))).append(" |"));
            lines.add(line.toString());
        }
        return lines;
    }

    private static boolean isNumber(String cell) {
        return cell.isEmpty() || cell.matches("[-+0-9.].*");
    }

    private int index(String column) {
        int index = columns.indexOf(column);
        if (index < 0) {
            throw new IllegalArgumentException("no column '" + column + "' among " + columns);
        }
        return index;
    }
}
