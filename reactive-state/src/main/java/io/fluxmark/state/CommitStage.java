package io.fluxmark.state;

/** How far a commit has come, on the store thread. */
enum CommitStage {
    /** The members are decided, nothing is written. */
    CHECKED,

    /** Everything is put into the maps, nothing is in the file. */
    APPLIED,

    /** The file has it, the disk may not. */
    COMMITTED,

    /** As durable as the store makes it; nobody knows yet. */
    SYNCED
}
