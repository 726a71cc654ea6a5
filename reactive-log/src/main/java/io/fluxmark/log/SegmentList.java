package io.fluxmark.log;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The segments of a partition in order. Changed by the writer thread, read by any. */
final class SegmentList {

    private volatile Segment[] segments;

    SegmentList(List<Segment> segments) {
        this.segments = segments.toArray(Segment[]::new);
    }

    void add(Segment segment) {
        Segment[] old = segments;
        Segment[] grown = Arrays.copyOf(old, old.length + 1);
        grown[old.length] = segment;
        segments = grown;
    }

    /** Shows other ones instead. */
    void show(List<Segment> others) {
        segments = others.toArray(Segment[]::new);
    }

    /** Takes away the segments that end at or below an offset and answers them; the last one stays. */
    List<Segment> dropBefore(long offset) {
        Segment[] old = segments;
        int count = 0;
        while (count < old.length - 1 && old[count + 1].baseOffset() <= offset) {
            count++;
        }
        segments = Arrays.copyOfRange(old, count, old.length);
        return List.of(old).subList(0, count);
    }

    /**
     * Puts one segment in the place of some that follow each other; those are {@linkplain Segment#replace told} so. Answers false, with
     * nothing done, if they are not all there any more.
     */
    boolean replace(List<Segment> some, Segment one) {
        Segment[] old = segments;
        int at = List.of(old).indexOf(some.get(0));
        if (at < 0
                || at + some.size() > old.length
                || !List.of(old).subList(at, at + some.size()).equals(some)) {
            return false;
        }
        Segment[] changed = new Segment[old.length - some.size() + 1];
        System.arraycopy(old, 0, changed, 0, at);
        changed[at] = one;
        System.arraycopy(old, at + some.size(), changed, at + 1, changed.length - at - 1);
        segments = changed;
        some.forEach(Segment::replace);
        return true;
    }

    boolean isEmpty() {
        return segments.length == 0;
    }

    long beginOffset() {
        Segment[] now = segments;
        return now.length == 0 ? 0 : now[0].baseOffset();
    }

    /** The segments there are now, in order. */
    List<Segment> all() {
        return List.of(segments);
    }

    /** The last segment that begins at or before the offset, or null. */
    @Nullable
    Segment floor(long offset) {
        Segment[] now = segments;
        int low = 0;
        int high = now.length - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            if (now[middle].baseOffset() <= offset) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return high < 0 ? null : now[high];
    }

    /** The first segment that begins after the offset, or null. */
    @Nullable
    Segment higher(long offset) {
        for (Segment segment : segments) {
            if (segment.baseOffset() > offset) {
                return segment;
            }
        }
        return null;
    }
}
