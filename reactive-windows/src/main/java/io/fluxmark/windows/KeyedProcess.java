package io.fluxmark.windows;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A user's function over keyed events, with state and event-time timers for each key.
 *
 * <p>It is called for each event, in order, and for each timer that the watermark has come to, one call at a time. A
 * watermark calls the timers it has come to in the order of their times and, at one time, of the keys, before the next event
 * is taken. What is called when follows from the events and the watermarks before them, and from nothing else: not from
 * demand, nor from how events fall into runs (S04).
 *
 * <p>All that is to be remembered belongs into the state: it is in the transaction of each barrier, with the timers and the
 * times at which entries expire, and is there again after a restart. The object itself is shared by the lanes of a job and
 * has no state of its own.
 *
 * <pre>{@code
 * final class Silence implements KeyedProcess<String, Reading, String> {
 *
 *     private static final StateDescriptor<ValueState<Long>> LAST = StateDescriptor.value("last", Codec.longs());
 *
 *     public List<StateDescriptor<?>> states() {
 *         return List.of(LAST);
 *     }
 *
 *     public void onEvent(Reading reading, ProcessContext<String, String> context) {
 *         ValueState<Long> last = context.state(LAST);
 *         Long before = last.get();
 *         if (before != null) {
 *             context.deleteTimer(before + 60_000);
 *         }
 *         last.set(context.timestamp());
 *         context.setTimer(context.timestamp() + 60_000);
 *     }
 *
 *     public void onTimer(ProcessContext<String, String> context) {
 *         context.emit("nothing from " + context.key() + " for a minute");
 *     }
 * }
 *
 * readings.keyBy(Reading::sensor).process(new Silence())
 * }</pre>
 *
 * <p>What it throws ends the stream, unless {@link EventFlux#onFailure} says otherwise. Then states, timers and what was emitted are as
 * if the call had not been, be it for an event or a timer, and that is counted and left out. A value that a state has given is
 * not to be changed in place: that can't be taken back, nor is it stored.
 *
 * @param <K> the key
 * @param <T> the events
 * @param <R> what it emits
 */
public interface KeyedProcess<K, T, R> {

    /** Takes an event. {@code context} is valid during the call only. */
    void onEvent(T event, ProcessContext<K, R> context);

    /** A timer is due, whose time is {@link ProcessContext#timestamp}. {@code context} is valid during the call only. */
    default void onTimer(ProcessContext<K, R> context) {
        // most functions that set no timers
    }

    /**
     * All states that the function uses, each of another name; always the same. Asked for when the pipeline is assembled, and by
     * each lane. One that is added later begins empty; one that is left out is no longer read, and stays in a store.
     */
    default List<StateDescriptor<?>> states() {
        return List.of();
    }

    /**
     * A stable name, recorded with stored state and compared when it is read again: state of one function is never
     * continued by another. Null, which is the default, means that there is none to compare.
     */
    default @Nullable String id() {
        return null;
    }

    /**
     * Whether the function looks at {@link ProcessContext#sign} and can undo what it has done with an event. Without it
     * a pipeline in which a stage before takes results back is refused at assembly.
     */
    default boolean takesRetractions() {
        return false;
    }

    /** Whether it calls {@link ProcessContext#retract}: stages behind it have to take retractions then. */
    default boolean emitsRetractions() {
        return false;
    }
}
