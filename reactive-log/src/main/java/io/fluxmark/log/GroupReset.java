package io.fluxmark.log;

import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** Where the offsets of a group are put. Immutable. */
public final class GroupReset {

    private final String name;
    private final Target target;

    private GroupReset(String name, Target target) {
        this.name = name;
        this.target = target;
    }

    /** To the first record there is. */
    public static GroupReset earliest() {
        return new GroupReset("earliest", (partition, committed) -> Mono.just(partition.beginOffset()));
    }

    /** Behind the last record there is. */
    public static GroupReset latest() {
        return new GroupReset("latest", (partition, committed) -> Mono.just(partition.endOffset()));
    }

    /** To the first record appended at or after a moment; behind the last one if there is none. */
    public static GroupReset time(Instant moment) {
        Objects.requireNonNull(moment, "moment");
        return new GroupReset("time " + moment, (partition, committed) -> partition.offsetAt(moment));
    }

    /** To an offset, which each partition that is reset must have; it may be its end. */
    public static GroupReset offset(long offset) {
        return new GroupReset(
                "offset " + offset,
                (partition, committed) -> Mono.fromSupplier(() -> {
                    if (offset < partition.beginOffset() || offset > partition.endOffset()) {
                        throw new OffsetOutOfRangeException(
                                "partition " + partition.topic() + "/" + partition.id(),
                                offset,
                                partition.beginOffset(),
                                partition.endOffset());
                    }
                    return offset;
                }));
    }

    /**
     * By so many offsets from the committed one, or from the first there is, forward or back, and not past either end of the partition.
     */
    public static GroupReset shift(long by) {
        return new GroupReset(
                "shift by " + by,
                (partition, committed) -> Mono.fromSupplier(() -> {
                    long from = committed == null ? partition.beginOffset() : committed;
                    long to = from + by;
                    if (((from ^ to) & (by ^ to)) < 0) {
                        to = by < 0 ? 0 : Long.MAX_VALUE;
                    }
                    return Math.max(partition.beginOffset(), Math.min(partition.endOffset(), to));
                }));
    }

    Mono<Long> resolve(Partition partition, @Nullable Long committed) {
        return target.resolve(partition, committed);
    }

    @Override
    public String toString() {
        return "GroupReset[" + name + "]";
    }

    private interface Target {
        Mono<Long> resolve(Partition partition, @Nullable Long committed);
    }
}
