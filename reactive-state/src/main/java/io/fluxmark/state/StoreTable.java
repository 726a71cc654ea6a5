package io.fluxmark.state;

import java.util.Locale;

/**
 * The few tables of a store. They are committed together, so a reader never sees one of them ahead of another.
 */
public enum StoreTable {
    /** Keyed state of lanes; keys are prefixed with the lane internally, so lanes cannot see each other's entries. */
    STATE(1),
    /** Current rows of result tables; keys are the caller's, shared by all lanes. */
    ROWS(2),
    /** Append-only result changes; keys are the caller's, shared by all lanes. */
    CHANGELOG(3),
    /** Late records put aside by jobs; keys are the caller's, shared by all lanes. */
    LATE(4),
    /** Records that jobs could not use, or could not deliver; keys are the caller's, shared by all lanes. */
    DEAD(5),
    /** Rows that wait to be delivered elsewhere; keys are the caller's, shared by all lanes. */
    OUTBOX(6),
    /** Events that jobs took out of their streams; keys are the caller's, shared by all lanes. */
    SIDE(7);

    private final byte code;

    StoreTable(int code) {
        this.code = (byte) code;
    }

    /** Stands for the table in stored keys; part of the stored format. */
    byte code() {
        return code;
    }

    static StoreTable ofCode(byte code) {
        for (StoreTable table : values()) {
            if (table.code == code) {
                return table;
            }
        }
        throw new StoreFormatException(
                "Unknown table code " + code + " in the store; open it with the version that wrote it");
    }

    /** The name of the map in the file; part of the stored format. */
    String mapName() {
        return name().toLowerCase(Locale.ROOT);
    }
}
