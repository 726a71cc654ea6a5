package io.fluxmark.state;

/**
 * When a commit is acknowledged. A crash of the process loses nothing acknowledged at either level, and at both the writes of
 * a commit reach the disk in an order that leaves every commit there as a whole or not at all.
 */
public enum StoreDurability {

    /** When the disk has it: two forces for each commit, a power cut loses nothing acknowledged. The default. */
    SYNC,

    /**
     * When the operating system has it: one force for each commit, which keeps the order and completes the commit before.
     * A power cut may take back the newest commit, though acknowledged, and no other; an orderly close forces it.
     *
     * <p>What follows from that: state, positions and rows go back together, and the job does its last interval again, from a
     * log whose floor is one commit older. Whoever was told of that commit outside the store was told too early: an
     * HTTP answer, a mail, rows that were read and passed on. So sinks that send after the commit refuse this level.
     */
    OS
}
