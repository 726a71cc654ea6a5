package io.fluxmark.windows;

import java.util.Comparator;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Why the windows of one operator have fired no further, or the timers of a function not been called: how far the watermark has come,
 * who holds it there, and what would fire next. {@link #text} says it to people.
 *
 * @param operator the windowed operator, or the function
 * @param windows its windows; null of a function
 * @param state whether it still runs
 * @param failure what it has failed with, or null
 * @param watermark the watermark that events are judged by, epoch ms; {@link Watermark#NONE} without one
 * @param waitsForDemand whether results, or events, wait because downstream asks for nothing
 * @param openWindows windows, over all keys, that have not fired; sessions and count windows count per key; 0 when it is over
 * @param timers timers that are set; 0 when it is over, and of windows
 * @param entries what is held, one entry for each key of each window or session, those within their allowed lateness too; of a
 *     function, its entries of state; 0 when it is over
 * @param next the open window that fires next; null without one, and of count windows, for which events decide
 * @param noTimerBefore the watermark, epoch ms, below which no timer is due; {@link Watermark#END} without one, and of windows
 * @param origin where the watermark comes from; null where that can't be seen, as behind {@code Flux.merge}
 */
public record Explanation(
        String operator,
        @Nullable WindowSpec windows,
        State state,
        @Nullable Throwable failure,
        long watermark,
        boolean waitsForDemand,
        long openWindows,
        long timers,
        long entries,
        @Nullable TimeWindow next,
        long noTimerBefore,
        @Nullable WatermarkOrigin origin) {

    private static final Comparator<TimeWindow> FIRES_FIRST =
            Comparator.comparingLong(TimeWindow::end).thenComparingLong(TimeWindow::start);

    /** Whether an operator still runs. */
    public enum State {
        /** It does. */
        RUNNING,
        /** It has come to the end of its input. */
        COMPLETED,
        /** It, or its upstream, has failed. */
        FAILED,
        /** Downstream has cancelled it. */
        CANCELLED
    }

    /** The partitions that hold the watermark where it is. */
    public List<PartitionProgress> holders() {
        return origin == null ? List.of() : origin.holders();
    }

    /** The watermark at which {@link #next} fires, epoch ms; {@link Watermark#END} where only the end of the stream fires it. */
    public OptionalLong watermarkNeeded() {
        if (next == null) {
            return OptionalLong.empty();
        }
        return OptionalLong.of(next.end() == Long.MAX_VALUE ? Watermark.END : Watermark.closing(next.end()));
    }

    /** Of an operator that is over. */
    static Explanation over(
            String operator,
            @Nullable WindowSpec windows,
            @Nullable Throwable failure,
            boolean completed,
            long watermark) {
        State state = failure != null ? State.FAILED : completed ? State.COMPLETED : State.CANCELLED;
        return new Explanation(operator, windows, state, failure, watermark, false, 0, 0, 0, null, Watermark.END, null);
    }

    /** This and another group of the same operator, as one. */
    Explanation and(Explanation other) {
        return new Explanation(
                operator,
                windows,
                state.compareTo(other.state) >= 0 ? state : other.state,
                failure == null ? other.failure : failure,
                Watermark.earlier(watermark, other.watermark),
                waitsForDemand || other.waitsForDemand,
                windows != null && windows.hasFixedWindows()
                        ? Math.max(openWindows, other.openWindows) // windows that all keys share
                        : openWindows + other.openWindows,
                timers + other.timers,
                entries + other.entries,
                next == null || (other.next != null && FIRES_FIRST.compare(other.next, next) < 0) ? other.next : next,
                Watermark.earlier(noTimerBefore, other.noTimerBefore),
                origin == null ? other.origin : origin);
    }

    /** The same of an operator with another name. */
    Explanation of(String name) {
        return new Explanation(
                name,
                windows,
                state,
                failure,
                watermark,
                waitsForDemand,
                openWindows,
                timers,
                entries,
                next,
                noTimerBefore,
                origin);
    }

    Explanation withOrigin(WatermarkOrigin from) {
        return new Explanation(
                operator,
                windows,
                state,
                failure,
                watermark,
                waitsForDemand,
                openWindows,
                timers,
                entries,
                next,
                noTimerBefore,
                from);
    }

    /** The whole of it in a few lines, without a line break at the end; times are UTC. */
    public String text() {
        return ExplanationText.of(this);
    }

    @Override
    public String toString() {
        return text();
    }
}
