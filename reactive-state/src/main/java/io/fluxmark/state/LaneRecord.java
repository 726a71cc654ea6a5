package io.fluxmark.state;

import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a lane finds when its session opens: the id of its newest durable transaction and, for each name ever given to
 * {@link LaneTransaction#lane}, the value put last. Immutable; arrays are copied in and out.
 */
public final class LaneRecord {

    private final long transaction;
    private final Map<String, byte[]> values;

    LaneRecord(long transaction, Map<String, byte[]> values) {
        this.transaction = transaction;
        this.values = new TreeMap<>(values);
    }

    /** The id of the lane's newest durable transaction, 0 if there has been none. */
    public long transaction() {
        return transaction;
    }

    /** The names that have a value; the set has no order. */
    public Set<String> names() {
        return Set.copyOf(values.keySet());
    }

    /**
     * The value last put under a name.
     *
     * @param name the name given to {@link LaneTransaction#lane}
     * @return a copy of the value, or null if no transaction put one
     */
    public byte @Nullable [] value(String name) {
        byte[] value = values.get(Objects.requireNonNull(name, "name"));
        return value == null ? null : value.clone();
    }

    @Override
    public String toString() {
        return "LaneRecord[transaction=" + transaction + ", names=" + values.keySet() + "]";
    }
}
