package io.fluxmark.sinks;

import io.fluxmark.windows.WindowResult;
import java.math.BigDecimal;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * How window results become rows of a table in a relational database. Immutable.
 *
 * <pre>{@code
 * DatabaseTable.latest("totals")
 *     .key("customer", String.class)
 *     .value("cents", Long.class)
 * }</pre>
 *
 * <p>Beside the columns named here a table has {@code job}, {@code window_start} and {@code window_end} (epoch milliseconds, end
 * exclusive), {@code revision}, {@code kind} (the name of a {@link WindowResult.Kind}) and {@code change_number}, which rises
 * with each result of a key. Names are not quoted: they are the database's to fold, and words it reserves can't be used.
 *
 * @param <K> the keys of results
 * @param <V> their values
 */
public final class DatabaseTable<K, V> {

    private static final String IDENTIFIER = "[A-Za-z_][A-Za-z0-9_]{0,62}";

    private static final Map<Class<?>, String> SQL_TYPES = Map.of(
            String.class, "VARCHAR(1000)",
            Long.class, "BIGINT",
            Integer.class, "INTEGER",
            Double.class, "DOUBLE PRECISION",
            Boolean.class, "BOOLEAN",
            UUID.class, "UUID",
            BigDecimal.class, "DECIMAL(38, 10)",
            OffsetDateTime.class, "TIMESTAMP WITH TIME ZONE");

    /** What stands in a table. */
    enum Content {
        /** One row per job, window and key: the newest result. */
        LATEST,
        /** One row per result. */
        CHANGES
    }

    /**
     * A column.
     *
     * @param type what the driver is given
     * @param content of a result
     */
    record Column<K, V>(
            String name, String sqlType, Class<?> type, Function<WindowResult<K, V>, @Nullable Object> content) {}

    private final String name;
    private final Content content;
    private final List<Column<K, V>> keys;
    private final List<Column<K, V>> values;

    private DatabaseTable(String name, Content content, List<Column<K, V>> keys, List<Column<K, V>> values) {
        this.name = name;
        this.content = content;
        this.keys = List.copyOf(keys);
        this.values = List.copyOf(values);
    }

    /**
     * One row per job, window and key: the newest result. One that was taken back without a new one stays, with the kind
     * {@code RETRACT}, so that a late repetition can't bring it back: leave such rows out when reading.
     *
     * @param name the table, with a schema or without
     */
    public static Named latest(String name) {
        return new Named(name, Content.LATEST);
    }

    /** One row per result, retractions included, identified by job, window, key, revision and kind. */
    public static Named changes(String name) {
        return new Named(name, Content.CHANGES);
    }

    /** A table that has no columns of its own yet. */
    public static final class Named {

        private final String name;
        private final Content content;

        private Named(String name, Content content) {
            if (!name.matches("(" + IDENTIFIER + "\\.)?" + IDENTIFIER)) {
                throw new IllegalArgumentException(
                        "a table's name is an identifier, with a schema or without, but was '" + name + "'");
            }
            this.name = name;
            this.content = content;
        }

        /** A column that holds the key as it is; types as {@link DatabaseTable#column}. */
        public <K> Keyed<K> key(String column, Class<K> type) {
            return key(column, type, key -> key);
        }

        /** A column that holds what the function makes of the key: the same for the same key, and never null. */
        public <K, C> Keyed<K> key(String column, Class<C> type, Function<K, C> content) {
            return new Keyed<K>(this, List.of()).andKey(column, type, content);
        }
    }

    /** A table whose key is known. */
    public static final class Keyed<K> {

        private record Part<K>(String name, Class<?> type, Function<K, ?> content) {}

        private final Named table;
        private final List<Part<K>> parts;

        private Keyed(Named table, List<Part<K>> parts) {
            this.table = table;
            this.parts = parts;
        }

        /** Another column of the key. */
        public <C> Keyed<K> andKey(String column, Class<C> type, Function<K, C> content) {
            List<Part<K>> more = new ArrayList<>(parts);
            sqlType(column, type);
            more.add(new Part<>(column, type, Objects.requireNonNull(content, "content")));
            return new Keyed<>(table, more);
        }

        /** A column that holds the value as it is. */
        public <V> DatabaseTable<K, V> value(String column, Class<V> type) {
            return value(column, type, value -> value);
        }

        /** A column that holds what the function makes of the value; null for none. */
        public <V, C> DatabaseTable<K, V> value(
                String column, Class<C> type, Function<V, ? extends @Nullable C> content) {
            List<Column<K, V>> keys = new ArrayList<>();
            for (Part<K> part : parts) {
                keys.add(checked(
                        part.name(),
                        part.type(),
                        result -> Objects.requireNonNull(part.content().apply(result.key()), part.name())));
            }
            return new DatabaseTable<K, V>(table.name, table.content, keys, List.of())
                    .column(column, type, result -> content.apply(result.value()));
        }
    }

    /**
     * Another column, of anything that is in a result; it is written anew with each. The SQL type is VARCHAR(1000), BIGINT,
     * INTEGER, DOUBLE PRECISION, BOOLEAN, UUID, DECIMAL(38, 10) or TIMESTAMP WITH TIME ZONE, for String, Long, Integer, Double,
     * Boolean, UUID, BigDecimal and OffsetDateTime.
     *
     * @param content null for none
     */
    public <C> DatabaseTable<K, V> column(
            String column, Class<C> type, Function<WindowResult<K, V>, ? extends @Nullable C> content) {
        List<Column<K, V>> more = new ArrayList<>(values);
        more.add(checked(column, type, Objects.requireNonNull(content, "content")::apply));
        return new DatabaseTable<>(name, content(), keys, more);
    }

    private static <K, V> Column<K, V> checked(
            String column, Class<?> type, Function<WindowResult<K, V>, @Nullable Object> content) {
        return new Column<>(column, sqlType(column, type), type, content);
    }

    private static String sqlType(String column, Class<?> type) {
        String sqlType = SQL_TYPES.get(type);
        if (!column.matches(IDENTIFIER) || sqlType == null) {
            throw new IllegalArgumentException("a column has an identifier for a name and one of the types "
                    + SQL_TYPES.keySet().stream()
                            .map(Class::getSimpleName)
                            .sorted()
                            .toList() + ", but was '" + column
                    + "' of " + type.getName());
        }
        return sqlType;
    }

    String name() {
        return name;
    }

    Content content() {
        return content;
    }

    List<Column<K, V>> keys() {
        return keys;
    }

    List<Column<K, V>> values() {
        return values;
    }
}
