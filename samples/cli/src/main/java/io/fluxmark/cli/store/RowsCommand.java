package io.fluxmark.cli.store;

import io.fluxmark.cli.console.Taking;
import io.fluxmark.sinks.ChangelogSink;
import io.fluxmark.sinks.DeadLetter;
import io.fluxmark.sinks.DeadLetterTable;
import io.fluxmark.sinks.LateTable;
import io.fluxmark.sinks.RowSelection;
import io.fluxmark.sinks.SideTable;
import io.fluxmark.sinks.StoredSink;
import io.fluxmark.sinks.TableQuery;
import io.fluxmark.sinks.TransactionalSink;
import io.fluxmark.state.StateStore;
import io.fluxmark.state.StoreTable;
import io.fluxmark.windows.LateEvent;
import io.fluxmark.windows.TimeWindow;
import io.fluxmark.windows.WindowResult;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import reactor.core.publisher.Flux;

/** Prints the rows of a sink as JSON lines. */
@Command(
        name = "rows",
        description = {
            "Print the rows of a sink, one JSON line each: of a table the latest result per key and window, of a changelog every",
            "emission, of a late or side table its events, of a dead letter table what was rejected. Keys and values of codecs",
            "that are not built in are base64."
        })
final class RowsCommand extends DirectoryCommand {

    private static final int ROWS_AHEAD = 256;
    private static final String BASE64 = "base64:";

    @Option(names = "--sink", paramLabel = "S", required = true, description = "The name of the sink.")
    @SuppressWarnings("NullAway.Init") // required option
    private String name;

    @Option(
            names = "--key",
            paramLabel = "K",
            description = "Only this key: a text or number, or base64: and the encoded bytes.")
    private @Nullable String key;

    @Option(names = "--from", paramLabel = "ISO", description = "Only windows that start at this time or later.")
    private @Nullable String from;

    @Option(names = "--to", paramLabel = "ISO", description = "Only windows that end at this time or before.")
    private @Nullable String to;

    @Option(names = "--changes", description = "The changelog of that name, where there is a table too.")
    private boolean changes;

    @Option(names = "--limit", paramLabel = "N", description = "Print at most so many rows.")
    private @Nullable Long limit;

    @Override
    int run() throws IOException {
        if (limit != null && limit < 1) {
            throw usage("--limit is " + limit + ": use 1 or more");
        }
        TimeWindow span = span();
        try (StateStore store = open();
                RowLines lines = new RowLines(console().out())) {
            StoredSink sink = sink(store);
            switch (sink.table()) {
                case LATE -> Taking.each(limited(late(store, sink, span)), ROWS_AHEAD, lines::write);
                case DEAD -> Taking.each(limited(letters(store, sink)), ROWS_AHEAD, lines::write);
                case SIDE -> Taking.each(limited(side(store, sink, span)), ROWS_AHEAD, lines::write);
                default -> Taking.each(limited(results(store, sink, span)), ROWS_AHEAD, lines::write);
            }
        }
        return 0;
    }

    private <T> Flux<T> limited(Flux<T> rows) {
        return limit == null ? rows : rows.take(limit);
    }

    private TimeWindow span() {
        try {
            long start = from == null ? Long.MIN_VALUE : TimeText.parse(from).toEpochMilli();
            long end = to == null ? Long.MAX_VALUE : TimeText.parse(to).toEpochMilli();
            if (start >= end) {
                throw usage("--from " + from + " is not before --to " + to);
            }
            return new TimeWindow(start, end);
        } catch (IllegalArgumentException e) {
            throw usage(String.valueOf(e.getMessage()));
        }
    }

    private StoredSink sink(StateStore store) {
        List<StoredSink> all = jobs(store).stream()
                .flatMap(job -> job.sinks().stream())
                .filter(sink -> sink.table() != StoreTable.OUTBOX)
                .distinct()
                .toList();
        return all.stream()
                .filter(sink -> sink.name().equals(name) && (!changes || sink.table() == StoreTable.CHANGELOG))
                .min(StoredSink::compareTo)
                .orElseThrow(() -> usage("there is no " + (changes ? "changelog" : "sink") + " '" + name + "' in "
                        + directory() + ", "
                        + known(Flux.fromIterable(all).map(sink -> SinkKind.of(sink.table()) + " " + sink.name()))));
    }

    private Flux<WindowResult<Object, Object>> results(StateStore store, StoredSink sink, TimeWindow span) {
        Set<Object> wanted = key == null ? Set.of() : keys(sink);
        if (sink.table() == StoreTable.CHANGELOG) {
            ChangelogSink<Object, Object> log = TransactionalSink.changelog(
                    store, name, StoredValue.keys(sink.keyCodec()), StoredValue.values(sink.valueCodec()));
            return log.changes()
                    .filter(result -> result.window().start() >= span.start()
                            && result.window().end() <= span.end()
                            && (key == null || isWanted(result.key(), wanted)));
        }
        TableQuery<Object, Object> query = TransactionalSink.table(
                        store, name, StoredValue.keys(sink.keyCodec()), StoredValue.values(sink.valueCodec()))
                .query();
        List<RowSelection<Object>> selections = new ArrayList<>();
        if (key == null) {
            selections.add(RowSelection.all());
        }
        wanted.forEach(each -> selections.add(RowSelection.key(each)));
        return Flux.fromIterable(selections)
                .concatMap(selection -> query.answer(narrowed(selection, span), (moment, rows) -> rows));
    }

    private RowSelection<Object> narrowed(RowSelection<Object> selection, TimeWindow span) {
        return from == null && to == null
                ? selection
                : selection.within(Instant.ofEpochMilli(span.start()), Instant.ofEpochMilli(span.end()));
    }

    private static boolean isWanted(Object found, Set<Object> wanted) {
        return found instanceof StoredValue.Opaque opaque
                ? wanted.stream()
                        .anyMatch(each -> each instanceof StoredValue.Opaque other
                                && Arrays.equals(other.bytes(), opaque.bytes()))
                : wanted.contains(found);
    }

    /** What the text may mean: a number is also looked for as a number. */
    private Set<Object> keys(StoredSink sink) {
        String text = String.valueOf(key);
        try {
            if (text.startsWith(BASE64)) {
                byte[] bytes = Base64.getDecoder().decode(text.substring(BASE64.length()));
                return Set.of(StoredValue.keys(sink.keyCodec()).decode(bytes));
            }
        } catch (IllegalArgumentException e) {
            throw usage("--key " + text + " is not a key of " + name + ": " + e.getMessage());
        }
        if (!StoredValue.isTagged(sink.keyCodec())) {
            throw usage("keys of " + name + " have codec '" + sink.keyCodec()
                    + "', which is not built in: give the encoded bytes, as --key base64:AQI=");
        }
        if (!text.matches("-?[0-9]{1,18}")) {
            return Set.of(text);
        }
        long number = Long.parseLong(text);
        return (int) number == number ? Set.of(text, number, (int) number) : Set.of(text, number);
    }

    private Flux<DeadLetter> letters(StateStore store, StoredSink sink) {
        if (key != null || from != null || to != null) {
            throw usage("dead letters of " + name + " have no key and no window: leave out --key, --from and --to");
        }
        if (!sink.valueCodec().equals("dead-letter")) {
            throw usage("the rows of " + name + " are what an outbox could not deliver: read them with"
                    + " OutboxSink.undelivered, which knows their codec");
        }
        return DeadLetterTable.of(store, name).letters();
    }

    private Flux<SideTable.Row<Object>> side(StateStore store, StoredSink sink, TimeWindow span) {
        if (key != null) {
            throw usage("the events of " + name + " have no key: leave out --key");
        }
        return SideTable.of(store, name, StoredValue.values(sink.valueCodec()))
                .rows()
                .filter(row -> row.timestamp() >= span.start() && row.timestamp() < span.end());
    }

    private Flux<LateEvent<Object>> late(StateStore store, StoredSink sink, TimeWindow span) {
        if (key != null) {
            throw usage("late events of " + name + " have no key: leave out --key");
        }
        return LateTable.of(store, name, StoredValue.values(sink.valueCodec()))
                .events()
                .filter(event -> event.timestamp() >= span.start() && event.timestamp() < span.end());
    }
}
