package io.fluxmark.windows;

/** An event that waits for partners. Confined to the lane. */
final class JoinRow<V> {

    final long time;
    final V value;

    /** Whether it has had one; kept only where events without a partner are emitted. */
    boolean matched;

    JoinRow(long time, V value, boolean matched) {
        this.time = time;
        this.value = value;
        this.matched = matched;
    }
}
