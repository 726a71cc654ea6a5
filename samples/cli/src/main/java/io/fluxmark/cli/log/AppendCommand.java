package io.fluxmark.cli.log;

import io.fluxmark.aggregate.DurationText;
import io.fluxmark.cli.console.Progress;
import io.fluxmark.cli.console.ProgressOption;
import io.fluxmark.cli.console.Taking;
import io.fluxmark.cli.console.Texts;
import io.fluxmark.log.AppendRecord;
import io.fluxmark.log.Durability;
import io.fluxmark.log.EventLog;
import io.fluxmark.log.TopicReader;
import java.io.IOException;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Schedulers;

/** Appends JSON lines of standard input. */
@Command(
        name = "append",
        description = {
            "Append JSON lines of standard input, each the value of a record, as they come. Needs the log closed.",
            "A line that can't be used ends it with exit code 65; what came before it is appended."
        })
final class AppendCommand extends TopicCommand {

    private static final int RESULTS_AHEAD = 1_024;
    private static final int MAX_RECORD_BYTES = 16 << 20;
    private static final String INTERVAL = "interval:";

    @Option(
            names = "--key",
            paramLabel = "FIELD",
            description = "The key is this member of the line, or what a JSON pointer as /a/b finds (default: no key).")
    private @Nullable String key;

    @Option(
            names = "--partition",
            paramLabel = "P",
            description =
                    "All records go there (default: where the key says; without keys one partition after the other).")
    private @Nullable Integer partition;

    @Option(
            names = "--durability",
            paramLabel = "sync|interval:10ms|os",
            defaultValue = "sync",
            description =
                    "When a record counts as appended: after an fsync (default); or after the write to the operating"
                            + " system, with an fsync every so often or at the end.")
    private String durability = "sync";

    @Option(
            names = "--verbose",
            description = "Print partition and offset of each record, not only how many there were.")
    private boolean verbose;

    @Mixin
    private ProgressOption progress = new ProgressOption();

    @Override
    int run() throws IOException {
        TopicReader known = openReader();
        if (partition != null) {
            Selection.check(this, known, partition);
        }
        if (known.compaction().isByKey() && key == null) {
            throw usage("topic '" + topicName() + "' is compacted by key: add --key FIELD");
        }
        Flux<AppendRecord> records = records(known.partitionCount());
        AtomicLong appended = new AtomicLong();
        try (EventLog log = openLog(base().durability(durability()).maxRecordBytes(MAX_RECORD_BYTES));
                Progress shown = progress.start(console(), "appending", "records", -1)) {
            Taking.each(log.topic(topicName()).append(records), RESULTS_AHEAD, result -> {
                shown.stepTo(appended.incrementAndGet());
                if (verbose) {
                    console().print(result.partition() + " " + result.offset());
                }
            });
        } catch (BadInputException e) {
            throw e.after(appended.get());
        }
        if (!verbose) {
            console().print("appended " + Texts.count(appended.get(), "record"));
        }
        return 0;
    }

    /** Read as they are asked for, on a thread that may wait for them. */
    private Flux<AppendRecord> records(int partitions) {
        return Flux.<AppendRecord, RecordInput>generate(
                        () -> new RecordInput(console().in(), key, partition, partitions), (input, sink) -> {
                            try {
                                AppendRecord next = input.next();
                                if (next == null) {
                                    sink.complete();
                                } else {
                                    sink.next(next);
                                }
                            } catch (IOException | BadInputException e) {
                                sink.error(e);
                            }
                            return input;
                        })
                .subscribeOn(Schedulers.boundedElastic());
    }

    private Durability durability() {
        String text = durability.toLowerCase(Locale.ROOT);
        try {
            if (text.equals("sync")) {
                return Durability.SYNC;
            }
            if (text.equals("os")) {
                return Durability.OS;
            }
            if (text.startsWith(INTERVAL)) {
                return Durability.interval(DurationText.parse(text.substring(INTERVAL.length())));
            }
        } catch (IllegalArgumentException e) {
            throw usage("--durability: " + e.getMessage());
        }
        throw usage("--durability is '" + durability + "': use sync, os or, for example, interval:10ms");
    }
}
