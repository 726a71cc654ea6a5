package io.fluxmark.quickstart;

import io.fluxmark.quickstart.plain.Cell;
import io.fluxmark.quickstart.plain.Flight;
import io.fluxmark.sinks.ChangelogSink;
import io.fluxmark.sinks.LateTable;
import io.fluxmark.sinks.TableSink;
import io.fluxmark.sinks.TransactionalSink;
import io.fluxmark.state.CborCodec;
import io.fluxmark.state.StateStore;
import io.fluxmark.windows.KeyCodec;
import io.fluxmark.windows.WindowResult;
import java.util.HashMap;
import java.util.Map;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** What the jobs write: a table of days, a log of every change of an hour, and the flights that came too late. */
final class FlightTables {

    private final StateStore store;
    private final TableSink<String, Stats> days;
    private final ChangelogSink<String, Stats> hours;
    private final ChangelogSink<String, Stats> live;

    FlightTables(StateStore store) {
        this.store = store;
        this.days = TransactionalSink.table(store, "days", KeyCodec.tagged(), new StatsCodec());
        this.hours = TransactionalSink.changelog(store, "hours", KeyCodec.tagged(), new StatsCodec());
        this.live = TransactionalSink.changelog(store, "live", KeyCodec.tagged(), new StatsCodec());
    }

    TableSink<String, Stats> days() {
        return days;
    }

    ChangelogSink<String, Stats> hours() {
        return hours;
    }

    ChangelogSink<String, Stats> live() {
        return live;
    }

    /** Flights of a job beyond the allowed lateness. */
    LateTable<Flight> late(String job) {
        return LateTable.of(store, job + "-late", CborCodec.of(Flight.class));
    }

    /** The committed days. */
    Mono<Map<Cell, Stats>> dayRows() {
        return fold(days.rows());
    }

    /** The committed hours: their changes, folded. */
    Mono<Map<Cell, Stats>> hourRows() {
        return fold(hours.changes());
    }

    /** The sum of results and retractions, which says at once if a retraction takes back what does not stand. */
    static Mono<Map<Cell, Stats>> fold(Flux<WindowResult<String, Stats>> results) {
        return results.collect(HashMap::new, FlightTables::apply);
    }

    private static void apply(Map<Cell, Stats> rows, WindowResult<String, Stats> result) {
        Cell cell = new Cell(result.key(), result.window().start());
        Stats standing = result.isRetraction() ? rows.remove(cell) : rows.put(cell, result.value());
        if (result.isRetraction() ? !result.value().equals(standing) : standing != null) {
            throw new IllegalStateException(
                    "The change " + result + " does not follow " + standing + ": the committed rows are damaged.");
        }
    }
}
