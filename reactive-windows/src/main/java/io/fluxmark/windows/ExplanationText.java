package io.fluxmark.windows;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** An explanation in words. */
final class ExplanationText {

    /** More partitions are only counted. */
    private static final int MOST_PARTITIONS = 16;

    private static final Comparator<PartitionProgress> HOLDERS_FIRST =
            Comparator.comparing(PartitionProgress::holds).reversed().thenComparingInt(PartitionProgress::partition);

    private final Explanation explained;
    private final StringBuilder text = new StringBuilder();

    private ExplanationText(Explanation explained) {
        this.explained = explained;
    }

    static String of(Explanation explained) {
        ExplanationText words = new ExplanationText(explained);
        words.text
                .append(explained.operator())
                .append(" (")
                .append(words.isFunction() ? "function" : explained.windows())
                .append(')');
        if (explained.state() == Explanation.State.RUNNING) {
            words.sayRunning();
        } else {
            words.sayOver();
        }
        return words.text.toString();
    }

    private boolean isFunction() {
        return explained.windows() == null;
    }

    private void sayOver() {
        boolean all = explained.watermark() == Watermark.END;
        text.append(
                switch (explained.state()) {
                    case CANCELLED -> " was cancelled";
                    case FAILED -> " has failed with " + explained.failure();
                    default -> all ? " has completed: " + allDone() : " has completed";
                });
        if (!all) {
            text.append(": nothing fires any more; in the end ").append(watermark());
        }
    }

    private String allDone() {
        return isFunction() ? "every timer has been called" : "every window has fired";
    }

    private void sayRunning() {
        text.append(": ").append(watermark());
        WatermarkOrigin origin = explained.origin();
        text.append(whoHolds(origin));
        if (origin != null) {
            sayPartitions(origin);
            if (Watermark.advances(explained.watermark(), origin.watermark())) {
                line("event time has come to " + at(origin.watermark()) + " already, which is on its way to the "
                        + (isFunction() ? "function" : "windows"));
            }
        }
        if (explained.waitsForDemand()) {
            line("downstream asks for nothing: results or events wait until it requests more");
        }
        line(isFunction() ? timers() : windows() + next());
    }

    private void line(String line) {
        text.append("\n  ").append(line);
    }

    private String watermark() {
        if (explained.watermark() == Watermark.END) {
            return "event time has ended";
        }
        return explained.watermark() == Watermark.NONE
                ? "there is no watermark yet"
                : "the watermark is " + at(explained.watermark());
    }

    private String whoHolds(@Nullable WatermarkOrigin origin) {
        if (explained.watermark() == Watermark.END) {
            return "";
        }
        if (origin == null) {
            return ", and who gives it can't be seen from here";
        }
        if (origin.followsClock()) {
            return ", and follows the clock";
        }
        List<PartitionProgress> holders = origin.holders();
        if (holders.isEmpty()) {
            return ", held by nobody: every partition is idle or has ended";
        }
        return ", held by "
                + (holders.size() == 1 ? "partition " : "partitions ")
                + holders.stream()
                        .limit(MOST_PARTITIONS)
                        .map(each -> String.valueOf(each.partition()))
                        .collect(Collectors.joining(", "))
                + (holders.size() > MOST_PARTITIONS ? " and " + (holders.size() - MOST_PARTITIONS) + " more" : "");
    }

    private void sayPartitions(WatermarkOrigin origin) {
        List<PartitionProgress> all = origin.partitions();
        PartitionProgress first = all.stream()
                .max(Comparator.comparingLong(PartitionProgress::newest))
                .orElse(null);
        if (first == null) {
            return;
        }
        all.stream().sorted(HOLDERS_FIRST).limit(MOST_PARTITIONS).forEach(each -> line(partition(each, first)));
        if (all.size() > MOST_PARTITIONS) {
            line((all.size() - MOST_PARTITIONS) + " more partitions");
        }
    }

    private static String partition(PartitionProgress partition, PartitionProgress first) {
        StringBuilder words = new StringBuilder("partition ").append(partition.partition());
        words.append(
                switch (partition.standing()) {
                    case IDLE -> ", idle";
                    case FINISHED -> ", ended";
                    case ACTIVE -> partition.holds() ? ", holds it" : "";
                });
        if (partition.hasHadEvents()) {
            words.append(": newest event ").append(at(partition.newest()));
            if (partition.newest() < first.newest()) {
                words.append(", ")
                        .append(span(first.newest() - partition.newest()))
                        .append(" behind partition ")
                        .append(first.partition());
            }
            words.append(", nothing since ").append(at(partition.lastCame()));
        } else {
            words.append(": no event yet, since ").append(at(partition.lastCame()));
        }
        if (partition.unread() >= 0) {
            words.append(", ").append(count(partition.unread(), "record")).append(" unread");
        }
        DelayChoice delay = partition.delay();
        if (delay != null) {
            words.append("; ").append(delay(delay));
        }
        return words.toString();
    }

    private static String delay(DelayChoice delay) {
        String wanted = " for " + DelayChoice.percent(delay.wanted()) + " %";
        String inForce = "its delay is " + span(delay.delayMillis());
        String inTime = ", " + DelayChoice.percent(delay.completeness()) + " % of " + count(delay.events(), "event")
                + " in time so far";
        if (delay.isLearning()) {
            return inForce + ", the longest, until enough is seen to tell which is enough" + wanted + inTime;
        }
        return inForce
                + (delay.proposedMillis() == delay.delayMillis()
                        ? wanted
                        : ", " + span(delay.proposedMillis()) + " is proposed" + wanted)
                + inTime;
    }

    private String timers() {
        String state = ", " + count(explained.entries(), "entry") + " of state";
        if (explained.timers() == 0) {
            return "no timer is set" + state;
        }
        return count(explained.timers(), "timer") + (explained.timers() == 1 ? " is" : " are") + " set" + state
                + "; none is due before the watermark reaches " + at(explained.noTimerBefore());
    }

    private String windows() {
        String held = count(explained.entries(), "entry");
        return explained.openWindows() == 0
                ? "no window is open" + (explained.entries() == 0 ? "" : ", " + held + " kept for late events")
                : count(explained.openWindows(), "open window") + " with " + held;
    }

    private String next() {
        TimeWindow next = explained.next();
        if (next != null && explained.watermarkNeeded().orElseThrow() == Watermark.END) {
            return ", to fire at the end of the stream" + orBefore();
        }
        if (next != null) {
            return "; next to fire is " + next + ", when the watermark reaches " + at(Watermark.closing(next.end()));
        }
        return explained.openWindows() == 0 ? "" : ", to fire when a key has its events, or at the end of the stream";
    }

    private String orBefore() {
        WindowSpec windows = explained.windows();
        return windows != null && windows.timeToLiveMillis() > 0 ? ", or when its time-to-live is over" : "";
    }

    private static String at(long epochMillis) {
        return Instant.ofEpochMilli(epochMillis).toString();
    }

    private static String span(long millis) {
        return Duration.ofMillis(millis).toString().substring(2).toLowerCase(Locale.ROOT);
    }

    private static String count(long n, String what) {
        if (n == 1) {
            return "1 " + what;
        }
        return String.format(Locale.ROOT, "%,d %s", n, what.equals("entry") ? "entries" : what + "s");
    }
}
