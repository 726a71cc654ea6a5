package io.fluxmark.windows;

/** What a window that emits more than once says with each emission (S15, S40). */
public enum Accumulation {
    /** All that is in the window so far, behind the retraction of the value before: folds to the value in force. The default. */
    RETRACT,
    /** All that is in the window so far; the value before stays where it is, and the receiver overwrites it. */
    ACCUMULATE,
    /** Only what has come since the emission before; the receiver adds up. The on-time result may be empty. */
    DISCARD
}
