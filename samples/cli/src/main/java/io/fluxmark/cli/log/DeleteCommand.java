package io.fluxmark.cli.log;

import io.fluxmark.cli.console.Texts;
import io.fluxmark.log.EventLog;
import io.fluxmark.log.TopicReader;
import java.io.IOException;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Deletes a topic. */
@Command(name = "delete", description = "Delete a topic with all its records. Needs the log closed.")
final class DeleteCommand extends TopicCommand {

    @Option(names = "--yes", description = "Really.")
    private boolean yes;

    @Override
    int run() throws IOException {
        TopicReader topic = openReader();
        long offsets = topic.partitions().stream()
                .mapToLong(partition -> partition.endOffset() - partition.beginOffset())
                .sum();
        if (!yes) {
            throw usage("this deletes topic '" + topicName() + "' for ever, with " + Texts.count(offsets, "offset")
                    + ": add --yes");
        }
        try (EventLog log = openLog(base())) {
            log.deleteTopic(topicName()).block();
        }
        console().print("deleted topic " + topicName() + " with " + Texts.count(offsets, "offset"));
        return 0;
    }
}
