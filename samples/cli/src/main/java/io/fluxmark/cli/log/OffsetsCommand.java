package io.fluxmark.cli.log;

import io.fluxmark.log.ConsumerGroup;
import io.fluxmark.log.EventLog;
import io.fluxmark.log.GroupOffsets;
import io.fluxmark.log.GroupReset;
import io.fluxmark.log.PartitionId;
import io.fluxmark.log.TopicReader;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import reactor.core.publisher.Mono;

/** Shows the offsets of a group, or puts them elsewhere. */
@Command(
        name = "offsets",
        description = {
            "Show how far a consumer group has come in a topic, beside a process that has the log open; or, with --reset-to, have",
            "it begin elsewhere, also before it has ever begun. That needs the log closed."
        })
final class OffsetsCommand extends TopicCommand {

    private static final String SHIFT = "shift:";

    @Option(names = "--group", paramLabel = "G", required = true, description = "The group.")
    @SuppressWarnings("NullAway.Init") // required option
    private String group;

    @Option(
            names = "--reset-to",
            paramLabel = "earliest|latest|time:ISO|shift:N|N",
            description =
                    "The first or the next record, the first appended at or after a time, so many further or back,"
                            + " or an offset.")
    private @Nullable String to;

    @Option(names = "--partition", paramLabel = "P", description = "Only this one (default: all).")
    private @Nullable Integer partition;

    @Override
    int run() throws IOException {
        TopicReader topic = openReader();
        if (partition != null) {
            Selection.check(this, topic, partition);
        }
        String target = to;
        if (target != null) {
            reset(topic, parse(target), target);
        }
        List<String> rows =
                get(GroupOffsets.read(directory())
                                .filter(each -> each.group().equals(group))
                                .collectList())
                        .stream()
                        .flatMap(each -> GroupRows.of(each, topic).stream())
                        .toList();
        if (rows.isEmpty()) {
            console().print("group " + group + " has committed no offset of topic " + topicName());
            return 0;
        }
        console().print(GroupRows.HEADING);
        for (String row : rows) {
            console().print(row);
        }
        return 0;
    }

    private void reset(TopicReader topic, GroupReset where, String text) {
        if (Character.isDigit(text.charAt(0)) && partition == null && topic.partitionCount() > 1) {
            throw usage("--reset-to " + text + " is an offset of one partition, and the topic has "
                    + topic.partitionCount() + ": add --partition");
        }
        try (EventLog log = openLog(base())) {
            ConsumerGroup consumers = named(log);
            Integer one = partition;
            Mono<GroupOffsets> done = one == null
                    ? consumers.reset(topicName(), where)
                    : consumers.reset(new PartitionId(topicName(), one), where);
            done.block();
        }
    }

    private ConsumerGroup named(EventLog log) {
        try {
            return log.group(group);
        } catch (IllegalArgumentException e) {
            throw usage("--group: " + e.getMessage());
        }
    }

    private GroupReset parse(String text) {
        try {
            return text.startsWith(SHIFT)
                    ? GroupReset.shift(Long.parseLong(text.substring(SHIFT.length())))
                    : StartText.parse(text).reset();
        } catch (IllegalArgumentException e) {
            throw usage("--reset-to is '" + text
                    + "': use earliest, latest, time:2026-01-01T00:00:00Z, shift:-10 or an offset");
        }
    }
}
