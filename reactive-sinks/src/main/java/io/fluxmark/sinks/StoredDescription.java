package io.fluxmark.sinks;

import io.fluxmark.state.LaneRecord;
import io.fluxmark.state.LaneTransaction;
import io.fluxmark.windows.KeyedStage;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A {@link JobDescription} as every lane of the job keeps it, without the job's name, which a restore may change.
 *
 * <pre>
 * byte    version (1)
 * string  topic; int partitions, merged
 * int     number of stages; of each operator, codec of keys, windows, long allowed lateness, function
 * int     number of outputs; kind, name and what it says of each
 * long    events, bytes, interval; int stops the world; long time-out
 * </pre>
 */
final class StoredDescription {

    private static final String NAME = "description";
    private static final byte VERSION = 1;

    private StoredDescription() {}

    /** What a lane has kept of its job; null where it has kept nothing yet. */
    static @Nullable JobDescription of(String job, LaneRecord record) {
        byte[] value = record.value(NAME);
        return value == null ? null : decode(job, value);
    }

    /** Keeps it with a transaction, unless the lane has it already. */
    static void keep(JobDescription job, LaneRecord restored, LaneTransaction transaction) {
        byte[] value = encode(job);
        if (!Arrays.equals(value, restored.value(NAME))) {
            transaction.lane(NAME, value);
        }
    }

    static byte[] encode(JobDescription job) {
        RowFields.Writer out = new RowFields.Writer(VERSION)
                .add(job.topic())
                .add(job.partitions())
                .add(job.merged() ? 1 : 0)
                .add(job.stages().size());
        for (KeyedStage stage : job.stages()) {
            out.add(stage.operator())
                    .add(stage.keyCodec())
                    .add(stage.windows())
                    .add(stage.allowedLatenessMillis())
                    .add(stage.function());
        }
        out.add(job.outputs().size());
        for (JobDescription.Output output : job.outputs()) {
            out.add(output.kind()).add(output.name()).add(output.says());
        }
        JobDescription.Commits commits = job.commits();
        return out.add(commits.events())
                .add(commits.bytes())
                .add(commits.intervalMillis())
                .add(commits.stopsTheWorld() ? 1 : 0)
                .add(commits.timeoutMillis())
                .toBytes();
    }

    static JobDescription decode(String job, byte[] value) {
        RowFields.Reader in = new RowFields.Reader("the description of a job", VERSION, value);
        String topic = in.readText();
        int partitions = in.readInt();
        boolean merged = in.readInt() != 0;
        List<KeyedStage> stages = new ArrayList<>();
        for (int left = in.readInt(); left > 0; left--) {
            stages.add(new KeyedStage(in.readText(), in.readText(), in.readText(), in.readLong(), in.readText()));
        }
        List<JobDescription.Output> outputs = new ArrayList<>();
        for (int left = in.readInt(); left > 0; left--) {
            outputs.add(new JobDescription.Output(in.readText(), in.readText(), in.readText()));
        }
        JobDescription.Commits commits = new JobDescription.Commits(
                in.readLong(), in.readLong(), in.readLong(), in.readInt() != 0, in.readLong());
        return new JobDescription(job, topic, partitions, merged, stages, outputs, commits);
    }
}
