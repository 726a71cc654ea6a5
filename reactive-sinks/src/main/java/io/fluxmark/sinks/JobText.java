package io.fluxmark.sinks;

import io.fluxmark.windows.Explanation;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** An observation in words. */
final class JobText {

    /** More partitions of a lane are not told one by one. */
    private static final int MOST_PARTITIONS = 16;

    private final StringBuilder text = new StringBuilder();

    private JobText() {}

    static String of(JobObservation job) {
        JobText words = new JobText();
        words.sayState(job);
        words.sayCheckpoints(job);
        job.lanes().forEach(lane -> words.sayLane(lane, job.state() == JobState.RUNNING));
        return words.text.toString();
    }

    private void sayState(JobObservation job) {
        text.append("job ").append(job.job()).append(": ");
        text.append(
                switch (job.state()) {
                    case NOT_RUN -> "has not been run since its store was opened";
                    case RUNNING -> "running since " + at(job.since());
                    case COMPLETED -> (job.finished() ? "drained at " : "stopped at ") + at(job.since());
                    case CANCELLED -> "cancelled at " + at(job.since());
                    case FAILED -> "failed at " + at(job.since()) + " with " + job.failure();
                });
        if (job.restarts() > 0) {
            text.append(", ").append(count(job.restarts(), "restart"));
            if (job.state() == JobState.RUNNING) {
                text.append(", the last after ").append(job.failure());
            }
        }
    }

    private void sayCheckpoints(JobObservation job) {
        CheckpointFigures figures = job.checkpoints();
        if (figures.completed() == 0) {
            line("no checkpoint yet" + failed(figures));
            return;
        }
        line(count(figures.completed(), "checkpoint") + failed(figures) + ", the last "
                + span(job.at() - figures.lastAt()) + " ago, in "
                + span(figures.lastDuration().toMillis()) + ", with "
                + count(figures.lastBytes(), "byte") + "; store commit "
                + job.store().commit());
    }

    private static String failed(CheckpointFigures figures) {
        return figures.failed() == 0 ? "" : ", " + figures.failed() + " failed";
    }

    private void sayLane(LaneObservation lane, boolean running) {
        JobStatus.Lane committed = lane.committed();
        StringBuilder words = new StringBuilder("lane ").append(lane.lane()).append(": ");
        if (committed.finished()) {
            words.append("drained");
        } else if (committed.transaction() == 0) {
            words.append("nothing committed");
        } else {
            words.append("transaction ").append(committed.transaction()).append(" committed");
        }
        words.append(" up to ").append(offsets(committed.positions()));
        words.append("; a restart reads ").append(count(lane.lag(), "record"));
        if (running && lane.unread() >= 0 && !committed.finished()) {
            words.append(", of which ").append(lane.lag() - lane.unread()).append(" are read already");
        }
        line(words.toString());
        lane.windows().forEach(this::sayWindows);
    }

    private static String offsets(List<JobStatus.Position> positions) {
        if (positions.size() == 1) {
            return offset(positions.get(0));
        }
        return positions.stream()
                .limit(MOST_PARTITIONS)
                .map(each -> "partition " + each.partition() + " " + offset(each))
                .collect(Collectors.joining(", ", "", positions.size() > MOST_PARTITIONS ? " and so on" : ""));
    }

    private static String offset(JobStatus.Position position) {
        return "offset " + position.nextOffset() + " of " + position.endOffset();
    }

    private void sayWindows(Explanation windows) {
        windows.text().lines().forEach(each -> line("  " + each));
    }

    private void line(String line) {
        text.append("\n  ").append(line);
    }

    private static String at(long epochMillis) {
        return Instant.ofEpochMilli(epochMillis).toString();
    }

    private static String span(long millis) {
        return Duration.ofMillis(Math.max(0, millis)).toString().substring(2).toLowerCase(Locale.ROOT);
    }

    private static String count(long n, String what) {
        return n == 1 ? "1 " + what : String.format(Locale.ROOT, "%,d %ss", n, what);
    }
}
