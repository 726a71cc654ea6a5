package io.fluxmark.sinks;

import io.fluxmark.state.KeyBytes;
import io.fluxmark.state.KeyReader;
import io.fluxmark.state.OperatorLongs;
import io.fluxmark.state.StoreEntry;
import io.fluxmark.state.StoreSnapshot;
import io.fluxmark.state.StoreTable;
import io.fluxmark.state.StoredLane;
import io.fluxmark.windows.LiveCounters;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * One computation of a digest. Rows are items of one sum, whatever order they lie in; each job is one more item, made of
 * its name and the sum of its counters, so that names can be left out without the order of jobs mattering.
 */
final class DigestRun {

    private static final List<StoreTable> TABLES =
            List.of(StoreTable.ROWS, StoreTable.CHANGELOG, StoreTable.LATE, StoreTable.DEAD, StoreTable.SIDE);

    private final StoreSnapshot snapshot;
    private final DigestScope scope;
    private final HashSum all = new HashSum();
    /** Of what kind the dead letters of a sink are. */
    private final Map<String, String> letters;

    private final Map<StoreTable, Long> counts = new EnumMap<>(StoreTable.class);

    DigestRun(StoreSnapshot snapshot, DigestScope scope) {
        this.snapshot = snapshot;
        this.scope = scope;
        this.letters = StoredJob.sinks(snapshot.lanes()).stream()
                .filter(sink -> sink.table() == StoreTable.DEAD)
                .collect(Collectors.toMap(StoredSink::name, StoredSink::valueCodec, (one, same) -> one));
    }

    Mono<StoreDigest> run() {
        Map<String, List<StoredLane>> jobs = new TreeMap<>();
        for (StoredLane lane : snapshot.lanes()) {
            if (scope.coversJob(lane.job())) {
                jobs.computeIfAbsent(lane.job(), job -> new ArrayList<>()).add(lane);
            }
        }
        return rows(jobs)
                .thenMany(Flux.fromIterable(jobs.entrySet()))
                .concatMap(job -> counters(job.getKey(), job.getValue()))
                .then(Mono.fromSupplier(() -> new StoreDigest(
                        HexFormat.of().formatHex(all.total()),
                        counts.getOrDefault(StoreTable.ROWS, 0L),
                        counts.getOrDefault(StoreTable.CHANGELOG, 0L),
                        counts.getOrDefault(StoreTable.LATE, 0L),
                        counts.getOrDefault(StoreTable.DEAD, 0L),
                        counts.getOrDefault(StoreTable.SIDE, 0L))));
    }

    private Mono<Void> rows(Map<String, List<StoredLane>> jobs) {
        Flux<Mono<Void>> ranges;
        String sink = scope.sink();
        if (sink != null) {
            ranges = Flux.fromIterable(TABLES).map(table -> rowsOf(table, sink));
        } else if (scope.ofOneJob()) {
            ranges = Flux.fromIterable(jobs.values())
                    .flatMapIterable(StoredJob::sinks)
                    .filter(known -> TABLES.contains(known.table()))
                    .map(known -> rowsOf(known.table(), known.name()));
        } else {
            ranges = Flux.fromIterable(TABLES).map(table -> add(table, snapshot.read(table, new byte[0], null)));
        }
        return ranges.concatMap(range -> range).then();
    }

    private Mono<Void> rowsOf(StoreTable table, String sink) {
        return add(table, snapshot.read(table, RowNames.prefix(sink), RowNames.end(sink)));
    }

    private Mono<Void> add(StoreTable table, Flux<StoreEntry> rows) {
        return rows.doOnNext(row -> {
                    byte[] item = item(table, row);
                    if (item != null) {
                        counts.merge(table, 1L, Long::sum);
                        all.add(item);
                    }
                })
                .then();
    }

    /** A row as far as it follows from the accepted events; null where it does not follow from them at all. */
    private byte @Nullable [] item(StoreTable table, StoreEntry row) {
        return switch (table) {
            case LATE -> plain(table, row.key(), LateTable.withoutWatermark(row.value()));
            case DEAD -> deadLetter(row);
            case SIDE -> plain(table, row.key(), row.value());
            default -> result(table, row);
        };
    }

    /** What could not be delivered depends on who should have received it. */
    private byte @Nullable [] deadLetter(StoreEntry row) {
        String kind = letters.getOrDefault(new KeyReader(row.key()).readString(), "");
        return switch (kind) {
            case OutboxQueue.UNDELIVERED -> null;
            case DeadLetterTable.KIND -> plain(StoreTable.DEAD, row.key(), DeadLetterTable.ofRecord(row.value()));
            case FailureTable.KIND -> plain(StoreTable.DEAD, row.key(), StoredFailure.withoutCause(row.value()));
            default -> plain(StoreTable.DEAD, row.key(), row.value());
        };
    }

    private static byte[] result(StoreTable table, StoreEntry row) {
        KeyReader key = new KeyReader(row.key());
        KeyBytes item = KeyBytes.key().add(table.name()).add(key.readString());
        if (!StoredResult.isOne(row.value())) {
            return item.add(key.readRest()).addRaw(row.value()).toBytes();
        }
        if (table == StoreTable.CHANGELOG) {
            item.add(key.readInt()).add(key.readLong());
        }
        StoredResult result = StoredResult.of(row.value());
        return item.add(result.window().start())
                .add(result.window().end())
                .add(result.revision())
                .add(result.kindCode())
                .add(result.key())
                .addRaw(result.value())
                .toBytes();
    }

    private static byte[] plain(StoreTable table, byte[] key, byte[] value) {
        return KeyBytes.key().add(table.name()).add(key).addRaw(value).toBytes();
    }

    private Mono<Void> counters(String job, List<StoredLane> lanes) {
        HashSum sum = new HashSum();
        return Flux.fromIterable(lanes)
                .concatMap(lane -> snapshot.longs(job, lane.lane())
                        .filter(longs -> longs.name().equals(LiveCounters.STATE_NAME))
                        .doOnNext(longs -> counts(sum, lane.lane(), longs)))
                .then(Mono.fromRunnable(() -> {
                    if (!sum.isEmpty()) {
                        String name = scope.jobNames() ? job : "";
                        all.add(KeyBytes.key()
                                .add("job")
                                .add(name)
                                .addRaw(sum.total())
                                .toBytes());
                    }
                }));
    }

    /** Only what was counted: a counter that a later version adds changes no digest. */
    private static void counts(HashSum sum, int lane, OperatorLongs longs) {
        long[] values = longs.values();
        for (int cell = 0; cell < values.length; cell++) {
            if (values[cell] != 0) {
                sum.add(KeyBytes.key()
                        .add(lane)
                        .add(longs.operator())
                        .add(cell)
                        .add(values[cell])
                        .toBytes());
            }
        }
    }
}
