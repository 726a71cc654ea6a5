package io.fluxmark.cli.log;

import io.fluxmark.cli.console.Progress;
import io.fluxmark.cli.console.ProgressOption;
import io.fluxmark.log.EventLog;
import io.fluxmark.log.LostRange;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Gives up what is damaged. */
@Command(
        name = "repair",
        description = {
            "Give up, for good, the records of a topic that are damaged. What is left keeps its offsets; the damaged file stays",
            "beside the segment as .corrupt. Needs the log closed."
        })
final class RepairCommand extends TopicCommand {

    @Mixin
    private ProgressOption progress = new ProgressOption();

    @Override
    int run() throws IOException {
        openReader();
        List<LostRange> lost;
        try (Progress shown = progress.start(console(), "repairing", "topics", 1)) {
            lost = get(EventLog.repair(directory(), topicName(), base()));
            shown.stepTo(1);
        }
        for (LostRange range : lost) {
            console()
                    .print("partition " + range.partition() + ": gave up offsets [" + range.from() + ", "
                            + range.until() + ") of "
                            + file(
                                    range.partition(),
                                    String.valueOf(range.segment().getFileName())));
        }
        if (lost.isEmpty()) {
            console().print("nothing is damaged");
        }
        return 0;
    }
}
