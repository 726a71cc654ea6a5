package io.fluxmark.log;

import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** When an append completes, and when its records become visible to readers. */
public final class Durability {

    /** After an fsync, shared by all appends that were waiting. A power cut loses nothing that was answered. The default. */
    public static final Durability SYNC = new Durability("SYNC", null);

    /**
     * After the write to the operating system. A crash of the process loses nothing, a power cut may lose what the system
     * had not written; what remains is a prefix.
     */
    public static final Durability OS = new Durability("OS", null);

    private final String name;
    private final @Nullable Duration period;

    private Durability(String name, @Nullable Duration period) {
        this.name = name;
        this.period = period;
    }

    /**
     * After the write to the operating system, with an fsync every so often: a power cut loses at most about the last period.
     *
     * @param period at least one millisecond
     */
    public static Durability interval(Duration period) {
        if (Objects.requireNonNull(period, "period").toMillis() < 1) {
            throw new IllegalArgumentException(
                    "period must be at least 1 ms but was " + period + "; use Durability.SYNC for every append");
        }
        return new Durability("INTERVAL " + period, period);
    }

    boolean syncsEveryAppend() {
        return this == SYNC;
    }

    @Nullable
    Duration period() {
        return period;
    }

    @Override
    public String toString() {
        return name;
    }
}
