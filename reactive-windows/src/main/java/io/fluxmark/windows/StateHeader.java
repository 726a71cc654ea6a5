package io.fluxmark.windows;

import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What the state of an operator says of itself, recorded beside it: of what kind the operator is, which aggregation and
 * which codecs wrote the entries. State that something else has written is not read, it is refused, by a backend that
 * keeps state over a restart. Immutable.
 *
 * @param parts what is said, by what it is about, in the order of the names
 */
public record StateHeader(Map<String, String> parts) {

    /** Says nothing. */
    public static final StateHeader EMPTY = new StateHeader(Map.of());

    private static final String OPERATOR = "operator";

    /** Copies the map. */
    public StateHeader {
        parts = Collections.unmodifiableMap(new TreeMap<>(parts));
    }

    /** The header of an operator of some kind, as "session windows". */
    public static StateHeader of(String kind) {
        return EMPTY.with(OPERATOR, kind);
    }

    /**
     * The same with one more part, in the place of a part of that name.
     *
     * @param value null leaves the part out: it is not compared then
     */
    public StateHeader with(String name, @Nullable String value) {
        Map<String, String> all = new TreeMap<>(parts);
        if (value == null) {
            all.remove(name);
        } else {
            all.put(name, value);
        }
        return new StateHeader(all);
    }
}
