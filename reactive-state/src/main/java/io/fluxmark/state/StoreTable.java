package io.fluxmark.state;

import java.util.Locale;

/**
 * The few tables of a store. They are committed together, so a reader never sees one of them ahead of another.
 */
public enum StoreTable {
    /** Keyed state of lanes; keys are prefixed with the lane internally, so lanes cannot see each other's entries. */
    STATE,
    /** Current rows of result tables; keys are the caller's, shared by all lanes. */
    ROWS,
    /** Append-only result changes; keys are the caller's, shared by all lanes. */
    CHANGELOG,
    /** Late records put aside by jobs; keys are the caller's, shared by all lanes. */
    LATE;

    /** The name of the map in the file; part of the stored format. */
    String mapName() {
        return name().toLowerCase(Locale.ROOT);
    }
}
