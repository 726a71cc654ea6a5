package io.fluxmark.windows;

/**
 * Says which event it was that user code has failed on. It is added, suppressed, to what was thrown, which stays what it
 * was: whoever retries by the type of an error still can.
 */
final class FailedEvent extends RuntimeException {

    private static final long serialVersionUID = 1L;

    /** A longer event is cut. */
    private static final int LONGEST = 200;

    /** An exception that is thrown again and again, being a constant, does not grow for ever. */
    private static final int MOST = 8;

    private FailedEvent(String message) {
        super(message, null, false, false);
    }

    /** Adds event {@code i} of a run to what was thrown while it was worked on. */
    static void addTo(Throwable failure, EventBatch<?> run, int i) {
        add(failure, "event ", run.value(i), run.isTimed() ? " at " + run.timestamp(i) + " ms" : "");
    }

    /** Adds which timer it was to what a call for it has thrown. */
    static void addTimerTo(Throwable failure, Object key, long time) {
        add(failure, "timer of key ", key, " at " + time + " ms");
    }

    /** The same of an event without a time. */
    static void addTo(Throwable failure, Object event) {
        add(failure, "event ", event, "");
    }

    private static void add(Throwable failure, String what, Object event, String time) {
        if (failure instanceof VirtualMachineError || failure.getSuppressed().length >= MOST) {
            return;
        }
        String text;
        try {
            text = String.valueOf(event);
        } catch (RuntimeException e) {
            text = "of " + event.getClass() + ", whose toString fails";
        }
        String shown = text.length() <= LONGEST ? text : text.substring(0, LONGEST) + "...";
        failure.addSuppressed(new FailedEvent("failed on the " + what + shown + time));
    }
}
