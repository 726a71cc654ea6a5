package io.fluxmark.experiments.commitorder;

import java.util.Locale;

/** What is committed first: the state that holds some records, or the offset behind them. */
enum CommitOrder {
    /** A kill in between: the records are in the state, and read once more. */
    STATE_THEN_OFFSET,

    /** A kill in between: the records are not in the state, and not read again. */
    OFFSET_THEN_STATE,

    /** One transaction: there is nothing in between. */
    ATOMIC;

    /** As it stands in files. */
    String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
