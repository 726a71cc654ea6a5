package io.fluxmark.state;

/**
 * When the changes of a pane are written as a sorted run of their own, and when runs are folded into the pane's entries.
 *
 * @param fewestEntries a run has at least so many entries
 * @param sparse and the pane at least so many times more: then hardly two of the changes share a page
 * @param mostRuns so many runs are folded at the latest
 * @param foldAt and when together they have one so-manieth of the pane's entries, so that a page takes several changes
 */
record RunPolicy(int fewestEntries, int sparse, int mostRuns, int foldAt) {

    static final RunPolicy DEFAULT = new RunPolicy(512, 8, 64, 4);

    /** Whether so many changes to a pane of that size become a run. */
    boolean writesRun(int changes, long size) {
        return changes >= fewestEntries && size / sparse >= changes;
    }

    /** Whether runs with so many entries are to be folded into a pane of that size. */
    boolean folds(int runs, long entries, long size) {
        return runs >= mostRuns || entries >= Math.max(fewestEntries, size / foldAt);
    }
}
