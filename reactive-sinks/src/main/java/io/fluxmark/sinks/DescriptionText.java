package io.fluxmark.sinks;

import io.fluxmark.windows.KeyedStage;
import java.time.Duration;
import java.util.Locale;
import java.util.StringJoiner;

/** A description in words. */
final class DescriptionText {

    private DescriptionText() {}

    static String of(JobDescription job) {
        StringJoiner lines = new StringJoiner("\n");
        lines.add("reads topic " + job.topic() + ", " + count(job.partitions(), "partition") + ", "
                + (job.merged() ? "in one lane" : "each in a lane"));
        job.stages().forEach(stage -> lines.add(stage(stage)));
        job.outputs()
                .forEach(output -> lines.add("writes " + output.kind() + " " + output.name() + ": " + output.says()));
        lines.add(commits(job.commits()));
        return lines.toString();
    }

    private static String stage(KeyedStage stage) {
        String function = stage.function().isEmpty() ? "" : ", " + stage.function();
        // The beginning is how the operator's explanation begins.
        return stage.operator() + " (" + (stage.windows().isEmpty() ? "function" : stage.windows()) + "): keys "
                + stage.keyCodec() + function;
    }

    private static String commits(JobDescription.Commits commits) {
        return "commits every " + Duration.ofMillis(commits.intervalMillis()) + ", behind "
                + count(commits.events(), "event") + " of a lane"
                + (commits.bytes() == Long.MAX_VALUE ? "" : ", behind " + count(commits.bytes(), "byte"))
                + (commits.stopsTheWorld() ? ", waiting for each" : "")
                + (commits.timeoutMillis() == JobDescription.Commits.UNLIMITED
                        ? ""
                        : ", for at most " + Duration.ofMillis(commits.timeoutMillis()));
    }

    private static String count(long n, String what) {
        return n == 1 ? "1 " + what : String.format(Locale.ROOT, "%,d %ss", n, what);
    }
}
