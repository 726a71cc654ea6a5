package io.fluxmark.aggregate.run;

import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Which partition each key lives in. Partitions with watermarks of their own can't share a key, so one that is found in a
 * second partition ends the run. Remembers every key.
 */
public final class PartitionKeys {

    private final Map<Object, Integer> partitions = new HashMap<>();

    /** None yet. */
    public PartitionKeys() {}

    /** What is wrong with the partition of {@code event}, or null. */
    public @Nullable String conflict(Event event) {
        @Nullable Integer before = partitions.putIfAbsent(event.key(), event.partition());
        if (before == null || before == event.partition()) {
            return null;
        }
        return "line " + event.line() + ": the key '" + event.key() + "' comes from partition " + event.partition()
                + ", and came from partition " + before
                + " before: each partition has a watermark of its own, so its keys must be its own, too;"
                + " use --global for one watermark, the minimum over all partitions";
    }
}
