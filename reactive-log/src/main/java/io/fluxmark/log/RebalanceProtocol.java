package io.fluxmark.log;

/** How a group goes from one assignment to the next. */
public enum RebalanceProtocol {

    /** Everybody gives everything up; only then everything is given out anew. */
    EAGER,

    /** Only what is to move is given up, and goes to its new owner as soon as it is free; the rest is read on meanwhile. */
    COOPERATIVE
}
