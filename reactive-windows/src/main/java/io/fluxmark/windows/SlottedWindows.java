package io.fluxmark.windows;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Tumbling and sliding windows on the heap, as panes: an event goes into one pane, however many windows hold it, and a
 * window that fires makes its values of its panes, of which a tumbling window has one. Says exactly what {@link
 * FixedWindows} says, which keeps a state for each window.
 *
 * <p>Nothing is stored for a window and a key but where an event has come after the window had fired: how many did, and
 * the revision. The value before such an event is made anew from the panes.
 */
final class SlottedWindows<T, K, A, R> extends WindowLogic<T, K, A, R> {

    /** With more panes for each window that holds an event, a state for each window is cheaper. */
    private static final int MOST_PANES_PER_WINDOW = 8;

    private final PaneLayout<T, A, R> layout;
    private final SlotPanes<T, A> panes;
    private final KeyRun<T, K> keys;
    private final KeySlots<K> slots;
    private final KeyOrder order;
    private final PaneFold<T, A, R> fold;
    private final IdleSlots idle = new IdleSlots();
    private final Emission<K, A, R> emission;

    /** What fired windows keep of keys that they have corrected, by the window's start. */
    private final TreeMap<Long, Map<K, PaneEntry<K, A>>> corrections = new TreeMap<>();

    /** What is stored of the panes; null where they end with the subscription. */
    private final @Nullable PaneMirror<T, K, A> mirror;

    private long entries;

    /** For how many entries the store has set heap aside, and whether there was room. */
    private long reserved;

    private boolean fits = true;

    /** The firing under way, and how far it has come in the order of keys. */
    private @Nullable TimeWindow firing;

    private int next;

    /** The keys of the part of the window that is loaded. */
    private Object[] pageKeys = new Object[0];

    SlottedWindows(
            WindowDefinition<T, K, A, R> definition,
            LaneContext lane,
            LiveCounters counters,
            WindowResults<K, R> results,
            @Nullable PaneStore<K, A> store) {
        super(definition, lane, counters, results);
        this.layout = PaneLayout.of(aggregation, store != null);
        this.panes = new SlotPanes<>(windows, layout);
        this.keys = KeyRun.of(this);
        this.slots = keys.slots;
        this.order = new KeyOrder(slots);
        this.fold = layout.fold(panes, windows);
        this.emission = new Emission<>(windows, aggregation, counters, results);
        this.mirror = store == null ? null : new PaneMirror<>(windows, store, aggregation);
        if (mirror != null) {
            mirror.restore(this::restore);
            panes.schedule(results.watermark);
        }
    }

    private void restore(long start, PaneEntry<K, A> stored) {
        SlotPane<T, A> pane = panes.find(start);
        if (pane == null) {
            pane = newPane(start);
        }
        if (pane == null) { // of a run that allowed more lateness
            Objects.requireNonNull(mirror, "mirror").dropped(start);
            return;
        }
        if (stored.count > 0) {
            int slot = slots.find(stored.key);
            if (slot == KeySlots.NONE) {
                slot = slots.assign(stored.key);
                order.add(slot);
            }
            pane.put(slot, Objects.requireNonNull(stored.accumulator, "accumulator"), stored.count, slots.bound());
            slots.retain(slot);
            entries++;
        }
        if (stored.late > 0) {
            PaneEntry<K, A> correction = correction(start, stored.key);
            correction.late = stored.late;
            correction.revision = stored.revision;
        }
    }

    /**
     * Whether tumbling or sliding windows are kept as panes. They are not where a window and a key have a state of their
     * own: with early results, when discarding, and under a ceiling, which counts such states. And they are not where there
     * are gaps between them, or panes are so short that there are many more of them than windows over an event. What is
     * stored has a state for each window and key: of such windows, tumbling ones only are kept as panes beside a store, and
     * these as long as it {@linkplain PaneStore#reserve has room}.
     */
    static boolean suit(WindowSpec windows) {
        long panesPerWindow = windows.sizeMillis() / SlotPanes.width(windows);
        long windowsPerEvent = windows.sizeMillis() / windows.slideMillis();
        return windows.early() == null
                && windows.ceiling() == null
                && windows.accumulation() != Accumulation.DISCARD
                && windows.slideMillis() <= windows.sizeMillis()
                && panesPerWindow <= MOST_PANES_PER_WINDOW * windowsPerEvent;
    }

    @Override
    void lookUp(EventBatch<T> run, int from, int to) {
        if (mirror != null && entries != reserved) {
            reserved = entries;
            fits = mirror.fits(entries);
        }
        keys.find(run, from, to);
        layout.touch(panes, run, from, to, keys);
    }

    /** As its super method does; where no window closes meanwhile, most events are added in a loop that only adds. */
    @Override
    int addSome(EventBatch<T> run, int from, int to) {
        long last = run.watermarkBefore(to - 1);
        int i = from;
        while (run.signs == null && !panes.isDue(last) && !results.isFull()) {
            i = addKnown(run, i, to, last);
            if (i == to) {
                passTo(last);
                return to;
            }
            passTo(run.watermarkBefore(i));
            at = i;
            add(run, i); // which may open a pane, and something be due then
            i++;
        }
        return super.addSome(run, i, to);
    }

    /**
     * Adds what most events are, in time and of a key that a pane used last holds already, up to the first other one.
     *
     * @param last the watermark before the last event, up to which no window closes
     * @return the number of the first that was not added
     */
    private int addKnown(EventBatch<T> run, int from, int to, long last) {
        int i = from;
        long assignments = 0;
        try {
            for (int end = keys.isCurrent() ? to : from; i < end; i++) {
                SlotPane<T, A> pane = panes.findRecent(run.timestamp(i));
                int slot = keys.get(i);
                if (pane == null || slot == KeySlots.NONE || pane.isClosedAt(last) || !pane.add(slot, run.value(i))) {
                    break;
                }
                pane.change(slot);
                assignments += pane.windowCount;
            }
        } finally {
            at = i;
            countOnTime(i - from, assignments);
        }
        return i;
    }

    @Override
    void add(EventBatch<T> run, int i) {
        long timestamp = run.timestamp(i);
        T event = run.value(i);
        int sign = run.sign(i);
        SlotPane<T, A> pane = panes.find(timestamp);
        if (pane == null) {
            pane = newPane(timestamp);
            if (pane == null) {
                reject(event, timestamp, windows.windowsOf(timestamp));
                return;
            }
        }
        int slot = keys.slot(i);
        if (slot == KeySlots.NONE) {
            slot = slot(key(event));
        }
        if (pane.isClosedAt(results.watermark)) {
            addLate(pane, slot, event, sign);
        } else {
            apply(pane, slot, event, sign);
            countOnTime(1, pane.windowCount);
        }
    }

    private @Nullable SlotPane<T, A> newPane(long timestamp) {
        SlotPane<T, A> pane = panes.open(timestamp, results.watermark, slots.bound());
        if (pane != null && mirror != null) {
            pane.noteChanges();
        }
        return pane;
    }

    private int slot(K key) {
        int slot = slots.find(key);
        if (slot == KeySlots.NONE) {
            lane.checkKey(key);
            slot = slots.assign(key);
            order.add(slot);
        }
        return slot;
    }

    private void apply(SlotPane<T, A> pane, int slot, T event, int sign) {
        if (sign < 0) {
            takeBack(pane, slot, event);
        } else if (!pane.add(slot, event)) {
            pane.addFirst(slot, event, slots.bound());
            slots.retain(slot);
            entries++;
        }
        pane.change(slot);
    }

    private void takeBack(SlotPane<T, A> pane, int slot, T event) {
        if (!pane.has(slot)) {
            throw nothingToTakeBack(event, slots.key(slot));
        }
        if (pane.takeBack(slot, event)) {
            entries--;
            if (mirror != null) {
                mirror.emptied(pane.start, slots.key(slot));
            }
            release(slot);
        }
    }

    private void release(int slot) {
        if (slots.release(slot)) {
            idle.add(slot);
        }
    }

    private void part(int slot) {
        if (slots.part(slot)) {
            order.remove(slot);
            fold.forget(slot);
        }
    }

    /** Adds an event to a pane over which a window has closed: late for it, or at least partly so (S11). */
    private void addLate(SlotPane<T, A> pane, int slot, T event, int sign) {
        K key = slots.key(slot);
        long slide = windows.slideMillis();
        long first = Math.max(pane.firstWindow, panes.earliestUnexpired(results.watermark));
        long last = Math.min(pane.lastWindow, panes.earliestUnfired(results.watermark) - slide);
        List<@Nullable R> before = new ArrayList<>();
        if (first <= last) {
            fold.results(slot, first, last, (start, value) -> before.add(value));
        }
        apply(pane, slot, event, sign);
        if (first <= last) {
            fold.results(
                    slot,
                    first,
                    last,
                    (start, value) -> correct(start, key, before.get((int) ((start - first) / slide)), value));
        }
        fold.changed(pane, slot);
        int missed = (int) ((first - pane.firstWindow) / slide);
        countAccepted(pane.windowCount - missed, missed, first <= last);
    }

    private void correct(long start, K key, @Nullable R before, @Nullable R value) {
        PaneEntry<K, A> entry = correction(start, key);
        emission.corrected(
                entry,
                new TimeWindow(start, windows.endOf(start)),
                before,
                value,
                before == null ? entry.revision : Math.max(0, entry.revision));
    }

    private PaneEntry<K, A> correction(long start, K key) {
        return corrections.computeIfAbsent(start, s -> new HashMap<>()).computeIfAbsent(key, PaneEntry::new);
    }

    @Override
    boolean isDue(long watermark) {
        return panes.isDue(watermark);
    }

    @Override
    void beginAdvance(long before) {
        beginFiring(panes.firstUnfired(before));
    }

    private void beginFiring(@Nullable TimeWindow window) {
        if (window == null || !Watermark.closes(results.watermark, window.end())) {
            firing = null;
            forgetExpired();
            return;
        }
        firing = window;
        next = 0;
        fold.begin(window);
        order.begin(panes.between(window.start(), window.end()));
    }

    private void forgetExpired() {
        boolean gone = false;
        for (SlotPane<T, A> pane = panes.pollExpired(results.watermark);
                pane != null;
                pane = panes.pollExpired(results.watermark)) {
            gone = true;
            entries -= pane.size();
            pane.forEachSlot(this::release);
            if (mirror != null) {
                mirror.dropped(pane.start);
            }
        }
        if (gone) {
            corrections.headMap(panes.earliestUnexpired(results.watermark)).clear();
            if (panes.all().isEmpty()) {
                forgetKeys();
            } else {
                idle.age(this::part);
            }
            compact();
        }
        panes.schedule(results.watermark);
    }

    private void forgetKeys() {
        idle.clear();
        slots.clear();
        order.renumber();
        fold.forgetAll();
    }

    private void compact() {
        if (slots.areSparse()) {
            idle.drain(this::part);
            int[] moved = slots.compact();
            for (SlotPane<T, A> pane : panes.all()) {
                pane.renumber(moved, slots.bound());
                pane.renumberChanges(moved);
            }
            fold.forgetAll();
            order.renumber();
        }
    }

    @Override
    void beginEarly() {
        // no early results here
    }

    @Override
    boolean proceed() {
        for (TimeWindow window = firing; window != null; window = firing) {
            if (!emit(window)) {
                return false;
            }
            beginFiring(panes.after(window.start()));
        }
        return true;
    }

    @SuppressWarnings("unchecked") // only keys of K are ever read
    private K loadedKey(int place) {
        return (K) pageKeys[place];
    }

    private boolean emit(TimeWindow window) {
        while (next < order.size()) {
            int place = next % PaneFold.PAGE;
            if (place == 0) {
                int[] page = order.slots(next, PaneFold.PAGE);
                fold.load(page);
                pageKeys = slots.keys(page);
            }
            if (fold.has(place)) {
                if (results.isFull()) {
                    return false;
                }
                results.emit(loadedKey(place), window, fold.result(place), WindowResult.Kind.ON_TIME, 0, 0);
            }
            next++;
        }
        return true;
    }

    @Override
    void flush(StateTransaction transaction) {
        if (mirror != null) {
            mirror.flush(transaction, panes.all(), slots::key, corrections);
        }
    }

    @Override
    WindowLogic<T, K, A, R> successor() {
        if (mirror == null || fits) {
            return this;
        }
        PaneStore<K, A> store = mirror.store();
        store.reserve(0);
        return new FixedWindows<>(definition, lane, counters, results, store, late);
    }

    /** How many keys have a slot: those that a pane holds something for, and those that may soon come back. */
    int keys() {
        return slots.size();
    }

    @Override
    WindowStatus status() {
        return new WindowStatus(
                results.watermark,
                panes.countUnfired(results.watermark),
                entries,
                panes.firstUnfired(results.watermark));
    }
}
