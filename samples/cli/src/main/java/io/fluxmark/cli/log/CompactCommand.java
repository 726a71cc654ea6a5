package io.fluxmark.cli.log;

import io.fluxmark.cli.console.Progress;
import io.fluxmark.cli.console.ProgressOption;
import io.fluxmark.cli.console.Texts;
import io.fluxmark.log.CompactionResult;
import io.fluxmark.log.EventLog;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Compacts a topic now. */
@Command(
        name = "compact",
        description = "Compact a topic by key now: the last record of each key stays. Needs the log closed.")
final class CompactCommand extends TopicCommand {

    @Mixin
    private ProgressOption progress = new ProgressOption();

    @Override
    int run() throws IOException {
        if (!openReader().compaction().isByKey()) {
            throw usage("topic '" + topicName() + "' is not compacted: only one created with --compact can be");
        }
        CompactionResult result;
        try (EventLog log = openLog(base());
                Progress shown = progress.start(console(), "compacting", "topics", 1)) {
            result = get(log.compact(topicName()));
            shown.stepTo(1);
        }
        console()
                .print(Texts.count(result.recordsBefore(), "record") + " before, " + result.recordsAfter() + " after; "
                        + Texts.count(result.bytesBefore(), "byte") + " before, " + result.bytesAfter() + " after; "
                        + Texts.count(result.tombstonesRemoved(), "tombstone") + " removed");
        return 0;
    }
}
