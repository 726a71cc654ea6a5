package io.fluxmark.cli.log;

import io.fluxmark.cli.console.Taking;
import io.fluxmark.log.CorruptSegmentException;
import io.fluxmark.log.PartitionReader;
import io.fluxmark.log.TopicReader;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Lists the stored batches. */
@Command(
        name = "dump",
        description = {
            "List the stored batches, one JSON line each, and where one is damaged a line that says so; exit code 1 then.",
            "Works beside a process that has the log open."
        })
final class DumpCommand extends TopicCommand {

    private static final int BATCHES_AHEAD = 64;

    @Option(names = "--partition", paramLabel = "P", description = "Only this one (default: all, one after the other).")
    private @Nullable Integer partition;

    @Override
    int run() throws IOException {
        TopicReader topic = openReader();
        int exit = 0;
        try (JsonLines lines = new JsonLines(console().out())) {
            for (PartitionReader each : Selection.partitions(this, topic, partition)) {
                long from = each.beginOffset();
                while (from >= 0) {
                    from = dump(each, from, lines);
                    exit = from < 0 ? exit : DAMAGED;
                }
            }
        }
        return exit;
    }

    /** Dumps up to the first damage and answers where to go on behind it, -1 if all is done. */
    private static long dump(PartitionReader partition, long from, JsonLines lines) throws IOException {
        try {
            Taking.each(partition.batches(from), BATCHES_AHEAD, batch -> lines.write(partition.id(), batch));
            return -1;
        } catch (CorruptSegmentException damage) {
            lines.write(partition.id(), damage);
            return damage.lostUntil();
        }
    }
}
