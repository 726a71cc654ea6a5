package io.fluxmark.aggregate.input;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The columns of a table. */
final class Header {

    private final List<String> names;
    private final Map<String, Integer> indexes = new HashMap<>();

    Header(List<String> names) {
        this.names = List.copyOf(names);
        for (int i = 0; i < names.size(); i++) {
            indexes.putIfAbsent(names.get(i), i);
        }
    }

    List<String> names() {
        return names;
    }

    int size() {
        return names.size();
    }

    /** The place of a column, or -1. */
    int indexOf(String name) {
        return indexes.getOrDefault(name, -1);
    }
}
