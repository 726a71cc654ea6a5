package io.fluxmark.cli.log;

import io.fluxmark.cli.console.Progress;
import io.fluxmark.cli.console.ProgressOption;
import io.fluxmark.cli.console.Texts;
import io.fluxmark.log.CorruptSegmentException;
import io.fluxmark.log.PartitionReader;
import io.fluxmark.log.TopicReader;
import java.io.IOException;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Reads a topic as a whole for damage. */
@Command(
        name = "verify",
        description = {
            "Read all of a topic and say what is damaged: the file, the byte, and the offsets that are lost. Exit code 1 if",
            "anything is. Works beside a process that has the log open."
        })
final class VerifyCommand extends TopicCommand {

    @Mixin
    private ProgressOption progress = new ProgressOption();

    @Override
    int run() throws IOException {
        TopicReader topic = openReader();
        long offsets = topic.partitions().stream()
                .mapToLong(partition -> partition.endOffset() - partition.beginOffset())
                .sum();
        int exit = 0;
        try (Progress shown = progress.start(console(), "verifying", "offsets", offsets)) {
            long before = 0;
            for (PartitionReader partition : topic.partitions()) {
                List<CorruptSegmentException> damages = damagesOf(partition, shown, before);
                before += partition.endOffset() - partition.beginOffset();
                exit = report(partition, damages) ? exit : DAMAGED;
            }
        }
        return exit;
    }

    private static List<CorruptSegmentException> damagesOf(PartitionReader partition, Progress shown, long before) {
        long begin = partition.beginOffset();
        return get(partition
                .verify(offset -> shown.stepTo(before + offset - begin))
                .collectList());
    }

    /** Whether it is intact. */
    private boolean report(PartitionReader partition, List<CorruptSegmentException> damages) throws IOException {
        String name = "partition " + partition.id() + ": ";
        for (CorruptSegmentException damage : damages) {
            console()
                    .print(name + "damaged at byte " + damage.position() + " of "
                            + file(partition.id(), damage.segment()) + ": offsets [" + damage.offset() + ", "
                            + damage.lostUntil() + ") are lost");
        }
        if (damages.isEmpty()) {
            console()
                    .print(name + "offsets [" + partition.beginOffset() + ", " + partition.endOffset()
                            + ") are intact, in "
                            + Texts.count(partition.segments().size(), "segment"));
        }
        return damages.isEmpty();
    }
}
