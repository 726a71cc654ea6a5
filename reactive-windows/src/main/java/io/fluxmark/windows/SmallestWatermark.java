package io.fluxmark.windows;

import java.util.Arrays;

/** The smallest of many watermarks, of which one changes at a time: a tree of minima, with the watermarks as leaves. */
final class SmallestWatermark {

    /** The root is node 1, the children of node n are 2n and 2n + 1. */
    private final long[] nodes;

    private final int firstLeaf;

    /** @param count how many there are; each is {@link Watermark#END} until it is set */
    SmallestWatermark(int count) {
        firstLeaf = count <= 1 ? 1 : Integer.highestOneBit(count - 1) * 2;
        nodes = new long[2 * firstLeaf];
        Arrays.fill(nodes, Watermark.END);
    }

    void set(int index, long watermark) {
        int node = firstLeaf + index;
        nodes[node] = watermark;
        for (node /= 2; node > 0; node /= 2) {
            long smaller = Watermark.earlier(nodes[2 * node], nodes[2 * node + 1]);
            if (nodes[node] == smaller) {
                return; // and so are those above it
            }
            nodes[node] = smaller;
        }
    }

    /** The smallest of all, {@link Watermark#END} without one. */
    long get() {
        return nodes[1];
    }
}
