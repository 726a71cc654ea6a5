package io.fluxmark.state;

import java.util.ArrayList;
import java.util.List;
import org.h2.mvstore.MVStore;
import org.h2.mvstore.Page;
import org.h2.mvstore.Page.PageReference;
import org.jspecify.annotations.Nullable;

/**
 * Entries with rising keys on their way into the tree of a map. Pages are never changed: one that takes an entry is
 * replaced, and with it all above it. A page becomes several where it would hold too much, by the same limits that H2 splits
 * at: filled up where all entries come behind those it holds, as they do when keys rise from commit to commit, and evenly
 * where they come in between.
 */
final class BulkPut {

    /** A page that takes the place of another or stands behind it, and the lowest key below it. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    private record Part(Page<byte[], byte[]> page, byte[] lowest) {}

    /** The parts that a child becomes. */
    private record Replaced(int child, List<Part> parts) {}

    private final BulkMap map;
    private final int mostKeys;
    private final long mostBytes;
    private final byte[][] keys;
    private final byte[][] values;
    private final int count;
    private final List<Page<byte[], byte[]>> gone = new ArrayList<>();
    private int next;
    private int madeBytes;

    BulkPut(BulkMap map, byte[][] keys, byte[][] values, int count) {
        MVStore store = map.getStore();
        this.map = map;
        this.mostKeys = store.getKeysPerPage();
        this.mostBytes = store.getMaxPageSize();
        this.keys = keys;
        this.values = values;
        this.count = count;
    }

    /** The root of a tree that has the entries too. */
    Page<byte[], byte[]> into(Page<byte[], byte[]> root) {
        List<Part> level = replace(root, null);
        while (level.size() > 1) {
            level = nodesOver(level);
        }
        return level.get(0).page();
    }

    /** Gives back the pages that have been replaced in this version, and says by how much the unsaved ones have grown. */
    int settle(long version) {
        int bytes = madeBytes;
        for (Page<byte[], byte[]> page : gone) {
            bytes += page.removePage(version);
        }
        return bytes;
    }

    /** Takes the next entries, those below {@code end}, into the page. */
    private List<Part> replace(Page<byte[], byte[]> page, byte @Nullable [] end) {
        gone.add(page);
        List<Part> parts = page.isLeaf() ? leaf(page, end) : node(page, end);
        for (Part part : parts) {
            madeBytes += part.page().getMemory();
        }
        return parts;
    }

    private int endOfRun(byte @Nullable [] end) {
        int to = next + 1;
        while (to < count && (end == null || KeyBytes.compare(keys[to], end) < 0)) {
            to++;
        }
        return to;
    }

    private List<Part> leaf(Page<byte[], byte[]> page, byte @Nullable [] end) {
        int from = next;
        next = endOfRun(end);
        int held = page.getKeyCount();
        if (held == 0 || KeyBytes.compare(keys[from], page.getKey(held - 1)) > 0) {
            return filled(page.copy(), from);
        }
        Page<byte[], byte[]> one = page.copy();
        for (int i = from; i < next; i++) {
            int place = search(one, keys[i]);
            if (place >= 0) {
                one.setValue(place, values[i]);
            } else {
                one.insertLeaf(-place - 1, keys[i], values[i]);
            }
        }
        return isTooLarge(one) ? leavesOf(one) : List.of(new Part(one, one.getKey(0)));
    }

    /** Adds the entries from that one on, up to the next to be taken, behind those of the leaf and of others after it. */
    private List<Part> filled(Page<byte[], byte[]> first, int from) {
        List<Part> parts = new ArrayList<>();
        Page<byte[], byte[]> leaf = first;
        for (int i = from; i < next; i++) {
            int held = leaf.getKeyCount();
            if (held >= mostKeys || (held > 0 && leaf.getMemory() + sizeOf(i) > mostBytes)) {
                parts.add(new Part(leaf, leaf.getKey(0)));
                leaf = map.emptyLeaf();
                held = 0;
            }
            leaf.insertLeaf(held, keys[i], values[i]);
        }
        parts.add(new Part(leaf, leaf.getKey(0)));
        return parts;
    }

    private int sizeOf(int entry) {
        return BytesType.INSTANCE.getMemory(keys[entry]) + BytesType.INSTANCE.getMemory(values[entry]);
    }

    /** Shares the entries of a leaf that is too large among as many as it takes, evenly. */
    private List<Part> leavesOf(Page<byte[], byte[]> large) {
        int held = large.getKeyCount();
        long leaves = Math.max(2, Math.max(ceiling(held, mostKeys), ceiling(large.getMemory(), mostBytes)));
        int each = (int) ceiling(held, leaves);
        List<Part> parts = new ArrayList<>();
        Page<byte[], byte[]> leaf = map.emptyLeaf();
        for (int i = 0; i < held; i++) {
            int size = leaf.getKeyCount();
            if (size == each || (size > 0 && leaf.getMemory() > mostBytes)) {
                parts.add(new Part(leaf, leaf.getKey(0)));
                leaf = map.emptyLeaf();
                size = 0;
            }
            leaf.insertLeaf(size, large.getKey(i), large.getValue(i));
        }
        parts.add(new Part(leaf, leaf.getKey(0)));
        return parts;
    }

    private List<Part> node(Page<byte[], byte[]> page, byte @Nullable [] end) {
        List<Replaced> children = new ArrayList<>();
        byte[] lowest = keys[next];
        int last = page.getKeyCount();
        while (next < count && (end == null || KeyBytes.compare(keys[next], end) < 0)) {
            int place = search(page, keys[next]);
            int child = place < 0 ? -place - 1 : place + 1;
            byte[] endOfChild = child < last ? page.getKey(child) : end;
            children.add(new Replaced(child, replace(page.getChildPage(child), endOfChild)));
        }
        Page<byte[], byte[]> one = page.copy();
        // From the right, so that the places of the others stay.
        for (int i = children.size() - 1; i >= 0; i--) {
            put(one, children.get(i));
        }
        return isTooLarge(one) ? nodesOf(one, lowest) : List.of(new Part(one, lowest));
    }

    private static void put(Page<byte[], byte[]> node, Replaced replaced) {
        List<Part> parts = replaced.parts();
        int last = parts.size() - 1;
        node.setChild(replaced.child(), parts.get(last).page());
        for (int i = last; i > 0; i--) {
            node.insertNode(
                    replaced.child(), parts.get(i).lowest(), parts.get(i - 1).page());
        }
    }

    /** Shares the children of a node that is too large among as many as it takes, evenly. */
    private List<Part> nodesOf(Page<byte[], byte[]> large, byte[] lowest) {
        List<Part> parts = new ArrayList<>();
        int children = large.getKeyCount() + 1;
        int nodes = nodesFor(children, large.getMemory());
        for (int i = 0; i < nodes; i++) {
            int from = (int) ((long) children * i / nodes);
            int to = (int) ((long) children * (i + 1) / nodes);
            Page<byte[], byte[]> part = large.copy();
            for (int child = children - 1; child >= to; child--) {
                part.remove(child);
            }
            for (int child = 0; child < from; child++) {
                part.remove(0);
            }
            parts.add(new Part(part, from == 0 ? lowest : large.getKey(from - 1)));
        }
        return parts;
    }

    /** Each has two children or more. */
    private int nodesFor(int children, long bytes) {
        long wanted = Math.max(ceiling(children, mostKeys + 1), ceiling(bytes, mostBytes));
        return (int) Math.min(wanted, children / 2);
    }

    private List<Part> nodesOver(List<Part> parts) {
        List<Part> nodes = new ArrayList<>();
        int wanted = nodesFor(parts.size(), 0);
        for (int i = 0; i < wanted; i++) {
            int from = (int) ((long) parts.size() * i / wanted);
            int to = (int) ((long) parts.size() * (i + 1) / wanted);
            Page<byte[], byte[]> node = nodeOver(parts.subList(from, to));
            madeBytes += node.getMemory();
            nodes.add(new Part(node, parts.get(from).lowest()));
        }
        return nodes;
    }

    private Page<byte[], byte[]> nodeOver(List<Part> parts) {
        byte[][] separators = new byte[parts.size() - 1][];
        PageReference<byte[], byte[]>[] children = Page.createRefStorage(parts.size());
        long total = 0;
        for (int i = 0; i < parts.size(); i++) {
            Part part = parts.get(i);
            if (i > 0) {
                separators[i - 1] = part.lowest();
            }
            children[i] = new PageReference<>(part.page());
            total += part.page().getTotalCount();
        }
        return Page.createNode(map, separators, children, total, 0);
    }

    private boolean isTooLarge(Page<byte[], byte[]> page) {
        int held = page.getKeyCount();
        return held > mostKeys || (page.getMemory() > mostBytes && held > (page.isLeaf() ? 1 : 2));
    }

    private static long ceiling(long dividend, long divisor) {
        return (dividend + divisor - 1) / divisor;
    }

    /** As {@link java.util.Arrays#binarySearch(int[], int)} says. */
    private static int search(Page<byte[], byte[]> page, byte[] key) {
        int low = 0;
        int high = page.getKeyCount() - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            int order = KeyBytes.compare(page.getKey(middle), key);
            if (order == 0) {
                return middle;
            }
            if (order < 0) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return -low - 1;
    }
}
