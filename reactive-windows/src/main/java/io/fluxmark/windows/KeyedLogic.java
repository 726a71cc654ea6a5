package io.fluxmark.windows;

/**
 * What an operator over keyed events with timers does with them: {@link ProcessOperator} takes the input apart, decides when
 * which of the methods is called, and hands out what was emitted. Confined to the lane.
 *
 * @param <T> the events
 * @param <R> what it emits
 */
abstract class KeyedLogic<T, R> {

    final ProcessOutput<R> output = new ProcessOutput<>();

    /** The watermark that events are judged by, and while timers are called, the one that has made them due. */
    long watermark;

    /** Judges event number {@code i} of a run by the watermark in force and takes it. */
    abstract void add(EventBatch<T> run, int i);

    /** Whether a timer may be due at a watermark. */
    abstract boolean hasDueTimers(long atWatermark);

    /** The same, or whether anything else is done then that depends on how far a watermark steps. */
    boolean isDue(long atWatermark) {
        return hasDueTimers(atWatermark);
    }

    /** Begins to call the timers that {@code target}, the watermark from now on, makes due. */
    abstract void beginAdvance(long target);

    /** Goes on with what was begun: true when it is through, false when a run is full. */
    abstract boolean proceed();

    /** Moves on to {@code target}, at which no timer is due. */
    abstract void settle(long target);

    /** What has changed goes into the transaction of a passing barrier. */
    abstract void flush(StateTransaction transaction);

    /** How many entries and timers are held. */
    abstract long entries();

    /** How many timers are set. */
    abstract long timers();

    /** The watermark below which no timer is due; {@link Watermark#END} without one. */
    abstract long noTimerBefore();
}
