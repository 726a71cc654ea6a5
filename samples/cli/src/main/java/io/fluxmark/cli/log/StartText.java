package io.fluxmark.cli.log;

import io.fluxmark.log.GroupReset;
import io.fluxmark.log.PartitionReader;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;

/** Where to begin: {@code earliest}, {@code latest}, {@code time:2026-01-01T00:00:00Z} or an offset. */
final class StartText {

    private static final String TIME = "time:";

    private final String text;

    private StartText(String text) {
        this.text = text;
    }

    /**
     * @throws IllegalArgumentException that says what to write
     */
    static StartText parse(String text) {
        StartText start = new StartText(text);
        if (text.startsWith(TIME)) {
            start.moment();
        } else if (!text.equals("earliest") && !text.equals("latest") && !text.matches("\\d{1,18}")) {
            throw new IllegalArgumentException("'" + text
                    + "' is no place to begin: use earliest, latest, time:2026-01-01T00:00:00Z or an offset");
        }
        return start;
    }

    /** Whether it is a number, which means something in one partition only. */
    boolean isOffset() {
        return Character.isDigit(text.charAt(0));
    }

    /** The offset that it stands for in a partition. */
    long offsetIn(PartitionReader partition) {
        if (text.equals("earliest")) {
            return partition.beginOffset();
        }
        if (text.equals("latest")) {
            return partition.endOffset();
        }
        return isOffset() ? Long.parseLong(text) : TopicCommand.get(partition.offsetAt(moment()));
    }

    /** The same for a group that is to begin there. */
    GroupReset reset() {
        if (text.equals("earliest")) {
            return GroupReset.earliest();
        }
        if (text.equals("latest")) {
            return GroupReset.latest();
        }
        return isOffset() ? GroupReset.offset(Long.parseLong(text)) : GroupReset.time(moment());
    }

    private Instant moment() {
        try {
            return OffsetDateTime.parse(text.substring(TIME.length())).toInstant();
        } catch (DateTimeParseException e) {
            throw new IllegalArgumentException(
                    "'" + text + "' is no time: write for example time:2026-01-01T00:00:00Z");
        }
    }
}
