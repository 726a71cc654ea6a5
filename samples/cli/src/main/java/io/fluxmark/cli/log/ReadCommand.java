package io.fluxmark.cli.log;

import io.fluxmark.cli.console.Taking;
import io.fluxmark.log.LogRecord;
import io.fluxmark.log.PartitionReader;
import io.fluxmark.log.TopicReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import reactor.core.publisher.Flux;

/** Prints records as JSON lines. */
@Command(
        name = "read",
        description = {
            "Print the records of a topic, one JSON line each: of one partition after the other, or with --follow as they come.",
            "Works beside a process that has the log open."
        })
final class ReadCommand extends TopicCommand {

    private static final int RECORDS_AHEAD = 256;

    @Option(names = "--partition", paramLabel = "P", description = "Only this one (default: all).")
    private @Nullable Integer partition;

    @Option(
            names = "--from",
            paramLabel = "N|earliest|latest|time:ISO",
            defaultValue = "earliest",
            description =
                    "Where to begin: an offset, the first or the next record, or the first one appended at or after a"
                            + " time (default: ${DEFAULT-VALUE}).")
    private String from = "earliest";

    @Option(names = "--limit", paramLabel = "N", description = "Print at most so many records.")
    private @Nullable Long limit;

    @Option(names = "--follow", description = "Go on with what is appended, looking at the files five times a second.")
    private boolean follow;

    @Override
    int run() throws IOException {
        if (limit != null && limit < 1) {
            throw usage("--limit is " + limit + ": use 1 or more");
        }
        StartText start = start();
        TopicReader topic = openReader();
        if (start.isOffset() && partition == null && topic.partitionCount() > 1) {
            throw usage("--from " + from + " is an offset of one partition, and the topic has " + topic.partitionCount()
                    + ": add --partition");
        }
        Flux<LogRecord> records = records(Selection.partitions(this, topic, partition), start);
        try (JsonLines lines = new JsonLines(console().out())) {
            Taking.each(limit == null ? records : records.take(limit), RECORDS_AHEAD, record -> {
                lines.write(record);
                if (follow) {
                    lines.flush();
                }
            });
        }
        return 0;
    }

    private Flux<LogRecord> records(List<PartitionReader> partitions, StartText start) {
        List<Flux<LogRecord>> reads = new ArrayList<>();
        for (PartitionReader each : partitions) {
            long first = start.offsetIn(each);
            reads.add(follow ? each.read(first) : each.readTo(first, Math.max(first, each.endOffset())));
        }
        return follow ? Flux.merge(Flux.fromIterable(reads), reads.size(), RECORDS_AHEAD) : Flux.concat(reads);
    }

    private StartText start() {
        try {
            return StartText.parse(from);
        } catch (IllegalArgumentException e) {
            throw usage("--from: " + e.getMessage());
        }
    }
}
