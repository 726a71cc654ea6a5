package io.fluxmark.windows;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Windows whose bounds follow from the events of their key: one state for each key, with the key's windows in it, and one
 * index of when something is due for a key. Firing pops the index and walks what is due at one watermark under demand; it
 * costs no more than that, however many keys are held and however much time has passed (S32).
 *
 * <p>Which windows have fired is not written down: those that the watermark closes have, and while an advance is under
 * way those that the watermark it has come to closes. A firing changes no stored entry unless results come early.
 */
abstract class KeyWindows<T, K, A, R> extends WindowLogic<T, K, A, R> {

    private static final long NEVER = Watermark.END;

    /** How many buckets of the index a span of time falls into: more look less often at keys, and are more. */
    private static final long BUCKETS = 8;

    /** What is to be done for a window. */
    private enum Action {
        /** The watermark closes it. */
        FIRE,
        /** Its time-to-live is over. */
        EXPIRE,
        /** The stream ends: it fires, and nothing is written any more. */
        END,
        /** An early result is due, or one whose window is over has to be brought up to date. */
        SHOW
    }

    private record Due<K, A>(LiveWindows<K, A> windows, long start, long end, Action action) {

        K key() {
            return windows.key();
        }

        boolean isSameWindow(Due<K, A> other) {
            return start == other.start && end == other.end && key().equals(other.key());
        }
    }

    final KeyState<K, A> state;
    final KeyedEmission<K, A, R> emission;
    final @Nullable Early early;
    final long timeToLive;
    private final long lateness;
    private final @Nullable Ceiling ceiling;

    /** Whether the index holds windows by the age of their newest event, to know which has to go first. */
    private final boolean hasDeadlines;

    private final DueIndex<K, A> index;
    private final Comparator<Due<K, A>> order;

    /** The keys with changes that wait for the next early result. */
    private ArrayList<LiveWindows<K, A>> changed = new ArrayList<>();

    /** The windows of the keys of some events, from this one of the run on, as they were found before any was added. */
    private @Nullable LiveWindows<K, A>[] found = newFound(0);

    private int firstFound;

    /** While an advance is under way, the watermark that it has come to. */
    private boolean advancing;

    private long position;

    /** What is due at one watermark. */
    private final ArrayList<Due<K, A>> due = new ArrayList<>();

    private int dueNext;

    /**
     * @param span how long windows mostly live, ms
     * @param bucket makes what the index keeps keys of about the same time in
     */
    KeyWindows(
            WindowDefinition<T, K, A, R> definition,
            LaneContext lane,
            LiveCounters counters,
            WindowResults<K, R> results,
            long span,
            Supplier<Collection<LiveWindows<K, A>>> bucket) {
        super(definition, lane, counters, results);
        this.state = new KeyState<>(definition, lane.state());
        this.emission = new KeyedEmission<>(windows, aggregation, counters, results);
        this.early = windows.early();
        this.timeToLive = windows.timeToLiveMillis();
        this.lateness = windows.allowedLatenessMillis();
        this.ceiling = windows.ceiling();
        boolean closesEarliest = ceiling != null && ceiling.policy() == Ceiling.Policy.CLOSE_EARLIEST;
        this.hasDeadlines = timeToLive > 0 || (closesEarliest && windows.kind() != WindowSpec.Kind.SESSION);
        KeyCodec<K> keys = definition.keyCodec();
        PaneStore<K, Long> ends = lane.state().panes(definition.name() + "/ends", keys, Codec.longs());
        long life = timeToLive > 0 ? Math.min(span, timeToLive) : span;
        long width = Math.min(DueRun.LONGEST, Long.highestOneBit(Math.max(1, life / BUCKETS)));
        long wideWidth = Math.max(width, Long.highestOneBit(Math.max(1, Math.max(lateness, timeToLive) / BUCKETS)));
        this.index = new DueIndex<>(ends, closesEarliest ? keys.order() : null, width, wideWidth, bucket, this::look);
        this.order = Comparator.<Due<K, A>>comparingLong(Due::end)
                .thenComparingLong(Due::start)
                .thenComparing(Due::key, keys.order());
    }

    @Override
    final void lookUp(EventBatch<T> run, int from, int to) {
        // New arrays each time: to put new objects into old ones costs more, with most garbage collectors.
        @Nullable Object[] keys = new Object[to - from];
        found = newFound(to - from);
        firstFound = from;
        state.findAll(keys, readKeys(run, keys, from, to), found);
    }

    @SuppressWarnings({"unchecked", "rawtypes"}) // an array of a generic type
    private static <K, A> @Nullable LiveWindows<K, A>[] newFound(int length) {
        return new LiveWindows[length];
    }

    /** The windows of the key of event {@code i}, which was looked up, for changing them; null where they have to be found. */
    final @Nullable LiveWindows<K, A> found(int i) {
        LiveWindows<K, A> windows = found[i - firstFound];
        return windows == null || windows.isEmpty() ? null : windows;
    }

    /** The watermark that closes {@code window}; {@link Watermark#END} where only the end of the stream does. */
    abstract long closing(LiveWindow<A> window);

    /** Adds an event to a window that is being changed; the bounds are the caller's. */
    final void addTo(LiveWindow<A> window, T event, long timestamp) {
        window.last = Math.max(window.last, timestamp);
        window.count++;
        A before = window.accumulator();
        A after = aggregation.add(before, event);
        if (after != before) { // most change in place, and a reference that stays is not worth writing
            window.accumulator = after;
        }
    }

    /** Whether {@code window} has fired. */
    final boolean hasFired(LiveWindow<A> window) {
        return Watermark.reaches(advancing ? position : results.watermark, closing(window));
    }

    /** The watermark at which something is due for {@code window}: it fires, or is forgotten, or has to be shown. */
    private long due(LiveWindow<A> window) {
        boolean ending = results.watermark == Watermark.END;
        long next = closing(window);
        if (next != NEVER) {
            if (!ending && hasFired(window)) {
                next = Watermark.expiry(window.end, lateness);
            }
            for (int i = 0; i < window.emitted.size(); i++) {
                Emitted each = window.emitted.get(i);
                if (each.end() < window.end) {
                    next = Math.min(next, Watermark.closing(each.end()));
                }
            }
        }
        return ending || !hasDeadlines ? next : Math.min(next, deadline(window));
    }

    /** The watermark at which the window's time-to-live is over (S43); without one, its newest event's time. */
    final long deadline(LiveWindow<A> window) {
        return window.last + timeToLive;
    }

    /** The earliest watermark at which something is due for one of a key's windows. */
    private long due(LiveWindows<K, A> windows) {
        long next = NEVER;
        LiveWindow<A> window = windows.newest();
        while (window != null && !hasFired(window)) {
            next = Math.min(next, due(window));
            window = window.older;
        }
        LiveWindow<A> oldest = windows.oldest();
        // Of those that have fired the oldest is forgotten first.
        return window == null || oldest == null ? next : Math.min(next, due(oldest));
    }

    /** When the index looks at the key at the latest. */
    final long lowerBound(LiveWindows<K, A> windows) {
        return windows.filed == LiveWindows.UNKNOWN ? due(windows) : windows.filed;
    }

    /** Files the key anew where something is due before {@code bound}, its {@link #lowerBound} before the change. */
    final void fileBefore(long bound, LiveWindows<K, A> windows) {
        long next = due(windows);
        if (next < bound) {
            windows.filed = index.file(next, windows);
        }
    }

    private void file(LiveWindows<K, A> windows) {
        long next = due(windows);
        windows.filed = next == NEVER ? NEVER : index.file(next, windows);
    }

    private void look(LiveWindows<K, A> seen, long place) {
        LiveWindows<K, A> windows = state.find(seen);
        if (windows != null && isFiled(windows, place)) {
            file(windows);
        }
    }

    private boolean isFiled(LiveWindows<K, A> windows, long place) {
        return windows.filed == place || windows.filed == LiveWindows.UNKNOWN;
    }

    @Override
    boolean isDue(long watermark) {
        return index.isDue(watermark);
    }

    @Override
    void beginAdvance(long before) {
        advancing = true;
        position = before;
    }

    @Override
    boolean proceed() {
        do {
            for (; dueNext < due.size(); dueNext++) {
                if (results.isFull()) {
                    return false;
                }
                settle(dueNext);
            }
            due.clear();
            dueNext = 0;
        } while (advancing && collect());
        if (advancing) {
            advancing = false;
            finishAdvance();
        }
        return true;
    }

    private void finishAdvance() {
        if (state.keys() == 0 || results.watermark == Watermark.END) {
            state.clear();
            index.clear();
        } else {
            index.finish();
        }
    }

    /** Gathers what is due next, all at one watermark, in the order of firing; false where nothing is left. */
    boolean collect() {
        while (due.isEmpty()) {
            if (!index.advance(results.watermark)) {
                return false;
            }
            long at = index.due();
            position = Math.max(position, Watermark.before(at, 1));
            do {
                gather(index.poll(), at);
            } while (index.advance(results.watermark) && index.due() == at);
            position = Math.max(position, at);
        }
        sortGathered();
        return true;
    }

    final void sortGathered() {
        if (due.size() > 1) {
            due.sort(order);
        }
    }

    /** At the end of the stream: all windows of a key fire. */
    final void gatherAtEnd(LiveWindows<K, A> windows) {
        position = Watermark.END;
        for (LiveWindow<A> w = windows.oldest(); w != null; w = w.newer) {
            due.add(new Due<>(windows, w.start, w.end, Action.END));
        }
    }

    private void gather(LiveWindows<K, A> seen, long at) {
        LiveWindows<K, A> windows = state.find(seen);
        if (windows == null || !isFiled(windows, at)) {
            return;
        }
        LiveWindow<A> fired = windows.oldest();
        if (fired != null && hasFired(fired) && due(fired) <= at) {
            windows = state.update(windows);
            for (fired = windows.oldest();
                    fired != null && hasFired(fired) && due(fired) <= at;
                    fired = windows.oldest()) {
                windows.remove(fired);
                state.live--;
            }
            if (windows.isEmpty()) {
                state.remove(windows.key());
                return;
            }
        }
        boolean waits = false;
        for (LiveWindow<A> w = windows.newest(); w != null && !hasFired(w); w = w.older) {
            if (due(w) <= at) {
                due.add(new Due<>(windows, w.start, w.end, action(w, at)));
                waits = true;
            }
        }
        if (waits) {
            windows.filed = at; // until what was gathered has been done
        } else {
            file(windows);
        }
    }

    private Action action(LiveWindow<A> window, long at) {
        if (closing(window) <= at) {
            return Action.FIRE;
        }
        boolean expired = timeToLive > 0 && results.watermark != Watermark.END && deadline(window) <= at;
        return expired ? Action.EXPIRE : Action.SHOW;
    }

    /** Does what is due for one window. */
    private void settle(int i) {
        Due<K, A> next = due.get(i);
        if (i > 0 && next.isSameWindow(due.get(i - 1))) {
            return; // the key was in the index twice
        }
        LiveWindows<K, A> windows = state.find(next.windows);
        LiveWindow<A> window = windows == null ? null : windows.find(next.start, next.end);
        if (windows == null || window == null) {
            return;
        }
        results.dueAt(position, next.end, next.start, next.key());
        if (next.action == Action.END) {
            emission.onTime(next.key(), window);
            return;
        }
        boolean stays = next.action == Action.SHOW || (next.action == Action.FIRE && due(window) > position);
        if (!stays || emission.changesOnTime()) {
            windows = state.update(windows);
            window = windows.find(next.start, next.end);
        }
        if (window == null) {
            throw new IllegalStateException("the state of key " + next.key() + " has changed between two calls");
        }
        if (next.action == Action.SHOW) {
            emission.early(next.key(), window);
        } else if (next.action == Action.EXPIRE) {
            close(windows, window);
            return;
        } else {
            emission.onTime(next.key(), window);
            state.open--;
            if (!stays) {
                forget(windows, window);
                return;
            }
        }
        if (advancing) {
            file(windows);
        }
    }

    /** Closes a window before its time: it fires, unless it has, and is forgotten. The windows are being changed. */
    final void close(LiveWindows<K, A> windows, LiveWindow<A> window) {
        counters.add(Counter.EXPIRED, 1);
        if (!hasFired(window)) {
            emission.onTime(windows.key(), window);
            state.open--;
        }
        forget(windows, window);
    }

    /** Forgets a window of a key whose windows are being changed, and the key with its last one. */
    final void forget(LiveWindows<K, A> windows, LiveWindow<A> window) {
        windows.remove(window);
        state.live--;
        if (windows.isEmpty()) {
            state.remove(windows.key());
        } else {
            file(windows);
        }
    }

    /** Whether the ceiling is met: a new window needs {@link #makeRoom}. */
    final boolean isFull() {
        return ceiling != null && state.live >= ceiling.entries();
    }

    /** Does what the ceiling's policy says: whether there is room for one more window then. */
    final boolean makeRoom() {
        Ceiling bound = Objects.requireNonNull(ceiling, "ceiling");
        if (bound.policy() != Ceiling.Policy.CLOSE_EARLIEST) {
            refuse(bound);
            return false;
        }
        meet(bound);
        closeEarliest();
        return true;
    }

    private void closeEarliest() {
        while (index.advance(Watermark.END)) {
            long at = index.due();
            LiveWindows<K, A> windows = state.find(index.poll());
            if (windows == null || !isFiled(windows, at)) {
                continue;
            }
            if (due(windows) > at) {
                file(windows);
                continue;
            }
            windows = state.update(windows);
            close(windows, earliest(windows));
            return;
        }
        throw new IllegalStateException(
                "operator " + definition.name() + " holds " + state.live + " windows and its index knows of none");
    }

    private LiveWindow<A> earliest(LiveWindows<K, A> windows) {
        LiveWindow<A> earliest = Objects.requireNonNull(windows.newest(), "newest");
        for (LiveWindow<A> w = earliest.older; w != null; w = w.older) {
            if (due(w) <= due(earliest)) {
                earliest = w;
            }
        }
        return earliest;
    }

    /** Notes a change of an open window, which had {@code before} events, for an early result. */
    final void noteEarly(LiveWindows<K, A> windows, LiveWindow<A> window, long before) {
        if (early == null) {
            return;
        }
        long every = early.everyCount();
        if (every > 0) {
            if (window.count / every > before / every) {
                emission.early(windows.key(), window);
            }
        } else if (!windows.awaitsEarly) {
            windows.awaitsEarly = true;
            changed.add(windows);
        }
    }

    @Override
    boolean awaitsEarly() {
        return !changed.isEmpty();
    }

    @Override
    void beginEarly() {
        for (LiveWindows<K, A> seen : changed) {
            LiveWindows<K, A> windows = state.find(seen);
            if (windows != null) {
                windows.awaitsEarly = false;
                for (LiveWindow<A> w = windows.newest(); w != null && !hasFired(w); w = w.older) {
                    due.add(new Due<>(windows, w.start, w.end, Action.SHOW));
                }
            }
        }
        due.sort(order);
        changed = new ArrayList<>();
    }

    /** Refuses a retraction, which a pipeline's assembly does not let come here. */
    final void requireAddition(T event, int sign) {
        if (sign < 0) {
            throw new IllegalStateException("a retraction of " + event + " reached " + windows
                    + " windows, which can't follow it: use tumbling, sliding or calendar windows there");
        }
    }

    @Override
    void flush(StateTransaction transaction) {
        state.flush(transaction);
        index.flush(transaction);
    }

    @Override
    long entries() {
        return state.live;
    }

    /** How many keys are held. */
    long keys() {
        return state.keys();
    }

    /** How many places the index holds. */
    long indexSize() {
        return index.size();
    }

    @Override
    WindowStatus status() {
        return new WindowStatus(results.watermark, state.open, state.live, next());
    }

    /** The window that fires next, or null. */
    @Nullable
    TimeWindow next() {
        TimeWindow[] first = new TimeWindow[1];
        index.browse(() -> first[0] == null ? NEVER : first[0].end(), seen -> {
            LiveWindows<K, A> windows = state.find(seen);
            LiveWindow<A> window = windows == null ? null : windows.oldest();
            while (window != null && hasFired(window)) {
                window = window.newer;
            }
            if (window != null) {
                TimeWindow candidate = new TimeWindow(window.start, window.end);
                if (first[0] == null || candidate.compareTo(first[0]) < 0) {
                    first[0] = candidate;
                }
            }
        });
        return first[0];
    }
}
