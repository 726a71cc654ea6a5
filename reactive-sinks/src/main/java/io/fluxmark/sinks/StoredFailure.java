package io.fluxmark.sinks;

import io.fluxmark.windows.EventPosition;
import io.fluxmark.windows.FunctionFailure;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A {@link FunctionFailure} as a row. The event itself is where its position says, in the log.
 *
 * @param operator the name of the operator whose function has failed
 * @param position where the event stands; null where that isn't known, as behind a window
 * @param timestamp the event's time, epoch ms; {@link FunctionFailure#NO_TIME} where it had none
 * @param event what the function was given, as its {@code toString} says, at most 4,000 characters
 * @param cause class and message of what was thrown, at most 4,000 characters
 */
public record StoredFailure(
        String operator, @Nullable EventPosition position, long timestamp, String event, String cause) {

    private static final byte VERSION = 1;
    private static final int NOWHERE = -1;

    static byte[] encode(FunctionFailure failure) {
        EventPosition position = failure.position();
        return new RowFields.Writer(VERSION)
                .add(failure.operator())
                .add(position == null ? null : position.source())
                .add(position == null ? NOWHERE : position.partition())
                .add(position == null ? NOWHERE : position.offset())
                .add(failure.timestamp())
                .add(DeadLetter.shortened(failure.event().toString()))
                .add(DeadLetter.shortened(failure.cause().toString()))
                .toBytes();
    }

    /** What of a row follows from the event: not how this JVM says what was thrown. */
    static byte[] withoutCause(byte[] row) {
        RowFields.Reader in = new RowFields.Reader("a failure", VERSION, row);
        in.readText();
        in.readString();
        in.readInt();
        in.readLong();
        in.readLong();
        in.readText();
        return Arrays.copyOf(row, row.length - in.remaining());
    }

    static StoredFailure decode(byte[] row) {
        RowFields.Reader in = new RowFields.Reader("a failure", VERSION, row);
        String operator = in.readText();
        String source = in.readString();
        int partition = in.readInt();
        long offset = in.readLong();
        EventPosition position = source == null ? null : new EventPosition(source, partition, offset);
        return new StoredFailure(operator, position, in.readLong(), in.readText(), in.readText());
    }
}
