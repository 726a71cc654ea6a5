package io.fluxmark.log;

import java.util.Objects;
import java.util.function.Consumer;

/** What a reader reads, and what it does if that is not there. Immutable: each method returns a changed copy. */
public final class ReadOptions {

    private final long from;
    private final long end;
    private final OffsetPolicy policy;
    private final Consumer<? super OffsetReset> listener;

    private ReadOptions(long from, long end, OffsetPolicy policy, Consumer<? super OffsetReset> listener) {
        this.from = from;
        this.end = end;
        this.policy = policy;
        this.listener = listener;
    }

    /**
     * From an offset on, without an end; fails if it is not there.
     *
     * @param offset one that is below the begin, or even negative, is out of range
     */
    public static ReadOptions from(long offset) {
        return new ReadOptions(offset, Long.MAX_VALUE, OffsetPolicy.FAIL, reset -> {});
    }

    /**
     * Up to an offset, where reading completes.
     *
     * @param endExclusive at least where it begins
     */
    public ReadOptions to(long endExclusive) {
        if (endExclusive < from) {
            throw new IllegalArgumentException(
                    "range [" + from + ", " + endExclusive + ") ends before it begins; swap the offsets");
        }
        return new ReadOptions(from, endExclusive, policy, listener);
    }

    /** Where to go on if an offset is not there: at subscription, or when retention overtakes the reader. */
    public ReadOptions ifOutOfRange(OffsetPolicy value) {
        return new ReadOptions(from, end, Objects.requireNonNull(value, "policy"), listener);
    }

    /**
     * Is told each time that a reader goes on elsewhere, on its worker, before the next record. It must not block; what it
     * throws ends the reader with that error.
     */
    public ReadOptions onReset(Consumer<? super OffsetReset> value) {
        return new ReadOptions(from, end, policy, Objects.requireNonNull(value, "listener"));
    }

    long from() {
        return from;
    }

    long end() {
        return end;
    }

    OffsetPolicy policy() {
        return policy;
    }

    Consumer<? super OffsetReset> listener() {
        return listener;
    }
}
