package io.fluxmark.windows;

/** Which events without a partner a join emits too. */
public enum JoinKind {
    /** None. */
    INNER(false, false),
    /** Those of the left stream. */
    LEFT(true, false),
    /** Those of the right stream. */
    RIGHT(false, true),
    /** Those of both. */
    FULL(true, true);

    private final boolean keepsLeft;
    private final boolean keepsRight;

    JoinKind(boolean keepsLeft, boolean keepsRight) {
        this.keepsLeft = keepsLeft;
        this.keepsRight = keepsRight;
    }

    /** Whether left events without a partner are emitted. */
    public boolean keepsLeft() {
        return keepsLeft;
    }

    /** Whether right events without a partner are emitted. */
    public boolean keepsRight() {
        return keepsRight;
    }
}
