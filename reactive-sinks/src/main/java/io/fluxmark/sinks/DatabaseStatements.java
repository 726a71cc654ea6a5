package io.fluxmark.sinks;

import io.fluxmark.windows.WindowResult;
import io.r2dbc.spi.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The SQL of one table in the dialect of one database, and the binding of results to it.
 *
 * @param <K> the keys of results
 * @param <V> their values
 */
final class DatabaseStatements<K, V> {

    /** How a database inserts or updates. */
    enum Dialect {
        /** MERGE of the standard, every parameter with its type. */
        STANDARD,
        /** INSERT ... ON CONFLICT. */
        POSTGRESQL;

        /** By the product's name, as a driver tells it. */
        static Dialect of(String product) {
            return product.toLowerCase(Locale.ROOT).startsWith("postgres") ? POSTGRESQL : STANDARD;
        }
    }

    /** A result as it is delivered. */
    record Row<K, V>(String job, long number, WindowResult<K, V> result) {}

    private interface Content<K, V> {
        @Nullable
        Object of(Row<K, V> row);
    }

    private record Column<K, V>(String name, String sqlType, Class<?> type, boolean id, Content<K, V> content) {}

    private static final String NUMBER = "change_number";

    private final DatabaseTable<K, V> table;
    private final List<Column<K, V>> columns = new ArrayList<>();

    DatabaseStatements(DatabaseTable<K, V> table) {
        this.table = table;
        boolean changes = table.content() == DatabaseTable.Content.CHANGES;
        columns.add(new Column<>("job", "VARCHAR(100)", String.class, true, Row::job));
        columns.add(new Column<>("window_start", "BIGINT", Long.class, true, row -> row.result()
                .window()
                .start()));
        columns.add(new Column<>("window_end", "BIGINT", Long.class, true, row -> row.result()
                .window()
                .end()));
        table.keys().forEach(key -> columns.add(column(key, true)));
        columns.add(new Column<>("revision", "INTEGER", Integer.class, changes, row -> row.result()
                .revision()));
        columns.add(new Column<>("kind", "VARCHAR(10)", String.class, changes, row -> row.result()
                .kind()
                .name()));
        columns.add(new Column<>(NUMBER, "BIGINT", Long.class, false, Row::number));
        table.values().forEach(value -> columns.add(column(value, false)));
    }

    private static <K, V> Column<K, V> column(DatabaseTable.Column<K, V> of, boolean id) {
        return new Column<>(
                of.name(), of.sqlType(), of.type(), id, row -> of.content().apply(row.result()));
    }

    /** Creates the table where it is missing. */
    String ddl() {
        String definitions = columns.stream()
                .map(c -> c.name() + " " + c.sqlType()
                        + (table.values().stream().anyMatch(v -> v.name().equals(c.name())) ? "" : " NOT NULL"))
                .collect(Collectors.joining(", "));
        return "CREATE TABLE IF NOT EXISTS " + table.name() + " (" + definitions + ", PRIMARY KEY (" + names(true)
                + "))";
    }

    /** Inserts a row; where it is there already, leaves a newer one, and a row that never changes, as it is. */
    String upsert(Dialect dialect) {
        return dialect == Dialect.POSTGRESQL ? onConflict() : merge();
    }

    private String merge() {
        List<String> given = new ArrayList<>();
        for (int i = 0; i < columns.size(); i++) {
            Column<K, V> column = columns.get(i);
            given.add("CAST($" + (i + 1) + " AS " + column.sqlType() + ") AS " + column.name());
        }
        String same = columns.stream()
                .filter(Column::id)
                .map(c -> "t." + c.name() + " = n." + c.name())
                .collect(Collectors.joining(" AND "));
        String all = columns.stream().map(c -> "n." + c.name()).collect(Collectors.joining(", "));
        String update = table.content() == DatabaseTable.Content.CHANGES
                ? ""
                : " WHEN MATCHED AND n." + NUMBER + " >= t." + NUMBER + " THEN UPDATE SET " + assignments("n.");
        return "MERGE INTO " + table.name() + " AS t USING (SELECT " + String.join(", ", given) + ") AS n ON " + same
                + update + " WHEN NOT MATCHED THEN INSERT (" + names(false) + ") VALUES (" + all + ")";
    }

    private String onConflict() {
        List<String> given = new ArrayList<>();
        for (int i = 0; i < columns.size(); i++) {
            given.add("$" + (i + 1));
        }
        String update = table.content() == DatabaseTable.Content.CHANGES
                ? "NOTHING"
                : "UPDATE SET " + assignments("EXCLUDED.") + " WHERE EXCLUDED." + NUMBER + " >= t." + NUMBER;
        return "INSERT INTO " + table.name() + " AS t (" + names(false) + ") VALUES (" + String.join(", ", given)
                + ") ON CONFLICT (" + names(true) + ") DO " + update;
    }

    private String assignments(String from) {
        return columns.stream()
                .filter(c -> !c.id())
                .map(c -> c.name() + " = " + from + c.name())
                .collect(Collectors.joining(", "));
    }

    private String names(boolean onlyId) {
        return columns.stream().filter(c -> c.id() || !onlyId).map(Column::name).collect(Collectors.joining(", "));
    }

    /** Binds the values of a row, in the order of the statement's parameters. */
    void bind(Statement statement, Row<K, V> row) {
        for (int i = 0; i < columns.size(); i++) {
            Column<K, V> column = columns.get(i);
            Object value = column.content().of(row);
            if (value == null) {
                statement.bindNull(i, column.type());
            } else {
                statement.bind(i, value);
            }
        }
    }
}
