package io.fluxmark.windows;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Which keys something is due for, and when: an index by watermark, whose entries are lower bounds. Confined to the lane.
 *
 * <p>Keys lie in buckets of time, unordered; only the keys of the bucket that time has come to are ordered, by the very
 * watermark: sorted when the bucket is opened, or in a heap where that can't be, and what comes later. When a bucket is
 * opened its owner looks at each key ({@link Owner#look}) and files it anew: mostly the key's windows have grown meanwhile,
 * and it goes to a later bucket. So an event that makes a window longer moves nothing, the cost is that of a look for each
 * bucket's key, and empty time costs nothing. Where there are two bucket widths, what is far away goes into wide buckets
 * first, so that there are never many.
 *
 * <p>A key may be filed more than once: its owner knows the place that counts, the others are passed over. What was filed
 * since the last barrier is on the heap alone, in plain lists; {@link #flush} puts it into a pane of each bucket. A pane
 * goes as a whole when its time is over.
 */
final class DueIndex<K, A> {

    /** Knows the keys' windows. */
    interface Owner<K, A> {

        /** A key was filed at {@code place}, which has come: file it anew, unless another place counts. */
        void look(LiveWindows<K, A> windows, long place);
    }

    private static final long NEVER = Watermark.END;
    private static final int WIDE_BUCKETS_AHEAD = 4;
    private static final int PAGE = 256;
    private static final int RECENT = 16;

    /** How many keys are brought near before they are looked at. */
    private static final int CHUNK = 32;

    private final PaneStore<K, Long> store;
    private final long width;
    private final long wideWidth;
    private final Supplier<Collection<LiveWindows<K, A>>> bucket;
    private final Owner<K, A> owner;
    private final DueHeap<K, A> near;
    private final DueRun<K, A> opened;
    private final TreeMap<Long, Collection<LiveWindows<K, A>>> far = new TreeMap<>();

    /** Buckets that were added to, and their starts, as far as one did not take the place of another. */
    private final @Nullable Collection<LiveWindows<K, A>>[] recent = newRecent();

    private final long[] recentStarts = new long[RECENT];

    /** Where entries stay what they are nothing outlives the subscription either. */
    private final boolean savesNothing;

    /** The start of the bucket that was opened last, and the first instant that is not in the heap yet. */
    private long openStart = Watermark.NONE;

    private long openEnd = Watermark.NONE;

    /** The start of the bucket that is opened next. */
    private long nextStart;

    /** While a bucket's pane is being opened: its start. */
    private long loading = NEVER;

    /** Whether keys of the bucket that is being opened are to be sorted, and not put into the heap. */
    private final boolean sorts;

    private boolean opening;

    /**
     * @param width of the buckets, a power of two
     * @param wideWidth of the buckets far ahead, a power of two, at least {@code width}
     * @param ties the order of keys that are due at the same time; null where it does not matter
     * @param bucket a set where windows may be gone before they are due, so that keys would be filed again and again, else
     *     a list, which is faster
     */
    DueIndex(
            PaneStore<K, Long> store,
            @Nullable Comparator<K> ties,
            long width,
            long wideWidth,
            Supplier<Collection<LiveWindows<K, A>>> bucket,
            Owner<K, A> owner) {
        this.store = store;
        this.width = width;
        this.wideWidth = wideWidth;
        this.opened = new DueRun<>(width);
        this.bucket = bucket;
        this.owner = owner;
        this.savesNothing = store.keepsEntries();
        this.sorts = savesNothing && ties == null;
        this.near = new DueHeap<>(ties);
        findNext();
    }

    /** Whether something may be due at {@code watermark}. */
    boolean isDue(long watermark) {
        return Watermark.reaches(watermark, Math.min(due(), nextStart));
    }

    /** Files {@code key} and gives the place: at or before {@code due}, and what {@link Owner#look} is told. */
    long file(long due, LiveWindows<K, A> windows) {
        if (opening && due >= openStart && due < openEnd) {
            opened.add(due, windows);
            return due;
        }
        if (due < openEnd) {
            near.push(due, windows, loading == floor(due, width));
            return due;
        }
        long start = floor(due, wideWidth);
        if (start < openEnd + WIDE_BUCKETS_AHEAD * wideWidth) {
            start = floor(due, width);
        }
        bucket(start).add(windows);
        nextStart = Math.min(nextStart, start);
        return start;
    }

    private Collection<LiveWindows<K, A>> bucket(long start) {
        int place = (int) (start >> Long.numberOfTrailingZeros(width)) & (RECENT - 1);
        Collection<LiveWindows<K, A>> found = recent[place];
        if (found == null || recentStarts[place] != start) {
            found = far.computeIfAbsent(start, s -> bucket.get());
            recent[place] = found;
            recentStarts[place] = start;
        }
        return found;
    }

    private void forgetRecent() {
        Arrays.fill(recent, null);
    }

    @SuppressWarnings({"unchecked", "rawtypes"}) // an array of a generic type
    private static <K, A> @Nullable Collection<LiveWindows<K, A>>[] newRecent() {
        return new Collection[RECENT];
    }

    private static long floor(long instant, long width) {
        return instant & -width;
    }

    /** Comes to {@code watermark}, opening what has to be opened: whether {@link #poll} has a key that is due then. */
    boolean advance(long watermark) {
        for (; ; ) {
            long due = due();
            if (due < nextStart) {
                return Watermark.reaches(watermark, due);
            }
            if (nextStart == NEVER || !Watermark.reaches(watermark, nextStart)) {
                return false;
            }
            openNext();
        }
    }

    /** When the first key of what was opened is due; never where there is none. */
    long due() {
        return near.isEmpty() ? opened.due() : Math.min(near.due(), opened.due());
    }

    /** Removes that key and returns it. */
    LiveWindows<K, A> poll() {
        return near.isEmpty() || opened.due() < near.due() ? opened.poll() : near.poll();
    }

    @SuppressWarnings({"unchecked", "rawtypes"}) // an array of a generic type
    private void openNext() {
        long start = nextStart;
        openStart = start;
        openEnd = Math.max(openEnd, endOf(start));
        Collection<LiveWindows<K, A>> filed = far.remove(start);
        forgetRecent();
        if (filed != null) {
            lookAt(filed.toArray(new LiveWindows[0]), start);
        }
        Pane<K, Long> pane = store.find(start);
        if (pane != null) {
            loading = start;
            forEach(pane, key -> owner.look(LiveWindows.ofKey(key), start));
            loading = NEVER;
        }
        findNext();
    }

    private void lookAt(LiveWindows<K, A>[] filed, long start) {
        opening = sorts;
        if (opening) {
            opened.begin(filed, start);
        }
        for (int from = 0; from < filed.length; from += CHUNK) {
            int to = Math.min(filed.length, from + CHUNK);
            for (int i = from; i < to; i++) {
                Cache.touch(filed[i]);
                Cache.touch(filed[i].emitted); // to read it too: the object is longer than what is read at a time
            }
            for (int i = from; i < to; i++) {
                owner.look(filed[i], start);
            }
        }
        if (opening) {
            opened.sort();
            opening = false;
        }
    }

    private long endOf(long start) {
        long end = floor(start, width) + width;
        return end < start ? NEVER : end;
    }

    private static <K> void forEach(Pane<K, Long> pane, Consumer<K> action) {
        List<PaneEntry<K, Long>> page = new ArrayList<>(PAGE);
        Pane.Walk<K, Long> walk = pane.walk();
        while (walk.next(page, PAGE)) {
            page.forEach(entry -> action.accept(entry.key));
            page.clear();
        }
    }

    private void findNext() {
        Pane<K, Long> pane = store.after(openStart);
        nextStart = Math.min(far.isEmpty() ? NEVER : far.firstKey(), pane == null ? NEVER : pane.start());
    }

    /** An advance is over: the panes whose time is over go. */
    void finish() {
        for (Pane<K, Long> pane = store.first();
                pane != null && pane.start() <= openStart && due() >= endOf(pane.start());
                pane = store.first()) {
            store.drop(pane);
        }
    }

    /** No key has anything to come. */
    void clear() {
        near.clear();
        opened.clear();
        far.clear();
        forgetRecent();
        for (Pane<K, Long> pane = store.first(); pane != null; pane = store.first()) {
            store.drop(pane);
        }
        nextStart = NEVER;
    }

    /** What was filed since the last barrier goes into the panes, and these into the transaction. */
    void flush(StateTransaction transaction) {
        if (savesNothing) {
            return;
        }
        for (Map.Entry<Long, Collection<LiveWindows<K, A>>> each : far.entrySet()) {
            Pane<K, Long> pane = store.open(each.getKey());
            each.getValue().forEach(windows -> pane.update(windows.key()));
        }
        far.clear();
        forgetRecent();
        near.save((due, key) -> store.open(floor(due, width)).update(key));
        store.flush(transaction);
    }

    /** Looks at keys, those that may be due first, until a bucket starts at or after {@code until} tells. */
    void browse(LongSupplier until, Consumer<LiveWindows<K, A>> action) {
        for (int i = 0; i < near.size(); i++) {
            action.accept(near.get(i));
        }
        opened.forEach(action);
        long at = openStart;
        for (; ; ) {
            Long start = far.higherKey(at);
            @Nullable Pane<K, Long> pane = store.after(at);
            long next = Math.min(start == null ? NEVER : start, pane == null ? NEVER : pane.start());
            if (next == NEVER || next >= until.getAsLong()) {
                return;
            }
            if (start != null && start == next) {
                far.getOrDefault(next, List.of()).forEach(action);
            }
            if (pane != null && pane.start() == next) {
                forEach(pane, key -> action.accept(LiveWindows.ofKey(key)));
            }
            at = next;
        }
    }

    /** How many entries there are, with those that are passed over. */
    long size() {
        long size = near.size() + opened.size() + store.entryCount();
        for (Collection<LiveWindows<K, A>> filed : far.values()) {
            size += filed.size();
        }
        return size;
    }
}
