package io.fluxmark.cli.log;

import io.fluxmark.log.GroupOffsets;
import io.fluxmark.log.TopicReader;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Command;

/** The consumer groups of a topic. */
@Command(
        name = "groups",
        description = {
            "List the consumer groups of a topic and how far each has come, as it last committed. Works beside a process that has",
            "the log open."
        })
final class GroupsCommand extends TopicCommand {

    @Override
    int run() throws IOException {
        TopicReader topic = openReader();
        List<GroupOffsets> groups = get(GroupOffsets.read(directory()).collectList()).stream()
                .filter(group -> !GroupRows.of(group, topic).isEmpty())
                .toList();
        if (groups.isEmpty()) {
            console().print("no group has committed an offset of topic " + topicName());
            return 0;
        }
        console().print(GroupRows.HEADING);
        for (GroupOffsets group : groups) {
            for (String row : GroupRows.of(group, topic)) {
                console().print(row);
            }
        }
        return 0;
    }
}
