package io.fluxmark.cli.log;

import io.fluxmark.cli.console.Texts;
import io.fluxmark.log.Compaction;
import io.fluxmark.log.EventLog;
import io.fluxmark.log.LogReader;
import io.fluxmark.log.Retention;
import io.fluxmark.log.TopicSpec;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Creates a topic, and the log if there is none yet. */
@Command(name = "create", description = "Create a topic, and the log if there is none yet. Needs the log closed.")
final class CreateCommand extends TopicCommand {

    @Option(
            names = "--partitions",
            paramLabel = "N",
            required = true,
            description = "How many partitions it has, for ever: 1 to 10,000.")
    private int partitions;

    @Option(
            names = "--retention",
            paramLabel = "DURATION",
            description = "Delete what was appended longer ago than this, as 7d (default: keep it).")
    private @Nullable Duration retention;

    @Option(
            names = "--retention-bytes",
            paramLabel = "N",
            description = "Keep about so many bytes of each partition, the newest (default: all).")
    private @Nullable Long retentionBytes;

    @Option(names = "--compact", description = "Keep the last record of each key; appends then need a key.")
    private boolean compact;

    @Override
    int run() throws IOException {
        TopicSpec created;
        try {
            Retention keeps = retention == null
                    ? Retention.forever()
                    : Retention.forever().maxAge(retention);
            keeps = retentionBytes == null ? keeps : keeps.maxBytes(retentionBytes);
            created = TopicSpec.partitions(partitions)
                    .retention(keeps)
                    .compaction(compact ? Compaction.byKey() : Compaction.none());
            if (get(LogReader.of(directory(), base()).topics()).contains(topicName())) {
                throw usage("topic '" + topicName() + "' is there already: look at it with ./fluxmark log describe");
            }
            try (EventLog log = openLog(base())) {
                get(log.createTopic(topicName(), created));
            }
        } catch (IllegalArgumentException e) {
            throw usage(String.valueOf(e.getMessage()));
        }
        console().print("created topic " + topicName() + " with " + Texts.count(partitions, "partition"));
        return 0;
    }
}
