package io.fluxmark.cli.store;

import io.fluxmark.sinks.CommittedLane;
import io.fluxmark.sinks.StoredJob;
import io.fluxmark.sinks.StoredSink;
import io.fluxmark.state.KeyBytes;
import io.fluxmark.state.StateStore;
import io.fluxmark.state.StoreInfo;
import io.fluxmark.state.StoreSnapshot;
import io.fluxmark.state.StoreTable;
import io.fluxmark.windows.Counters;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import picocli.CommandLine.Command;
import reactor.core.publisher.Mono;

/** What a store holds. */
@Command(
        name = "describe",
        description =
                "Say what a store holds: its jobs with positions, watermarks, counters and sinks, and how many entries.")
final class DescribeCommand extends DirectoryCommand {

    private static final String LANE = "%-6s  %12s  %12s  %10s  %-8s  %s";
    private static final String SINK = "%-10s  %-24s  %10s  %-10s  %s";
    private static final String MAP = "%-10s  %10s";

    @Override
    int run() throws IOException {
        List<String> lines = new ArrayList<>();
        try (StateStore store = open()) {
            StoreInfo info = get(store.info());
            lines.add("commit      " + info.commit());
            lines.add("file        " + String.format(Locale.ROOT, "%,d bytes", info.fileBytes()));
            lines.add("dropped     " + info.pendingRanges() + " ranges wait for the removal of their entries");
            get(store.snapshot(snapshot -> StoredJob.all(snapshot)
                            .doOnNext(job -> describe(job, snapshot, lines))
                            .then(Mono.fromRunnable(() -> describe(snapshot.counts(), lines)))
                            .thenReturn(true))
                    .single());
        }
        for (String line : lines) {
            console().print(line);
        }
        return 0;
    }

    private static void describe(StoredJob job, StoreSnapshot snapshot, List<String> lines) {
        lines.add("");
        lines.add("job " + job.name());
        if (job.description() != null) {
            lines.addAll(job.description().text().lines().toList());
        }
        lines.add(row(LANE, "lane", "transaction", "next offset", "state", "finished", "watermark"));
        for (CommittedLane lane : job.lanes()) {
            lines.add(row(
                    LANE,
                    lane.lane(),
                    lane.transaction(),
                    offsets(lane),
                    snapshot.countState(job.name(), lane.lane()),
                    lane.finished() ? "yes" : "no",
                    TimeText.of(lane.watermark())));
        }
        operators(job).forEach((operator, counters) -> lines.add("operator " + operator + ": " + counters));
        if (!job.sinks().isEmpty()) {
            lines.add(row(SINK, "kind", "sink", "entries", "keys", "values"));
        }
        for (StoredSink sink : job.sinks()) {
            byte[] prefix = KeyBytes.key().add(sink.name()).toBytes();
            lines.add(row(
                    SINK,
                    SinkKind.of(sink.table()),
                    sink.name(),
                    snapshot.count(sink.table(), prefix, KeyBytes.endOfPrefix(prefix)),
                    sink.keyCodec().isEmpty() ? "-" : sink.keyCodec(),
                    sink.valueCodec()));
        }
    }

    /** One number where the lane is over the partition of its number; else each with its partition. */
    private static String offsets(CommittedLane lane) {
        Map<Integer, Long> offsets = new TreeMap<>(lane.offsets());
        Long only = offsets.size() == 1 ? offsets.get(lane.lane()) : null;
        return only != null ? only.toString() : offsets.toString();
    }

    /** What all lanes together have counted. */
    private static Map<String, String> operators(StoredJob job) {
        Map<String, Counters> sums = new TreeMap<>();
        job.lanes().forEach(lane -> lane.counters()
                .forEach((operator, counters) -> sums.merge(operator, counters, Counters::plus)));
        Map<String, String> texts = new TreeMap<>();
        sums.forEach((operator, counters) -> {
            String text = counters.toString();
            texts.put(operator, text.substring(text.indexOf('[') + 1, text.length() - 1));
        });
        return texts;
    }

    private static void describe(Map<StoreTable, Long> counts, List<String> lines) {
        lines.add("");
        lines.add(row(MAP, "map", "entries"));
        counts.forEach((table, count) -> lines.add(row(MAP, table.name().toLowerCase(Locale.ROOT), count)));
    }

    private static String row(String format, Object... cells) {
        return String.format(Locale.ROOT, format, cells).stripTrailing();
    }
}
