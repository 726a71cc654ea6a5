package io.fluxmark.sinks;

import io.fluxmark.state.KeyBytes;

/** The keys of rows: the sink's name first, so that the rows of one sink lie together. */
final class RowNames {

    private static final String NAME = "[A-Za-z0-9._-]{1,100}";

    private RowNames() {}

    static String checked(String name) {
        if (!name.matches(NAME)) {
            throw new IllegalArgumentException("a sink's name matches " + NAME + " but was '" + name + "'");
        }
        return name;
    }

    /** Under which name the dead letters of a sink stand: none that a user can choose. */
    static String undelivered(String name) {
        return name + "~undelivered";
    }

    /** The beginning of all keys of a sink. */
    static byte[] prefix(String name) {
        return KeyBytes.key().add(name).toBytes();
    }

    /** The end, exclusive, of all keys of a sink: a name's bytes end below 0xFF, so there is one. */
    static byte[] end(String name) {
        byte[] prefix = prefix(name);
        prefix[prefix.length - 1]++;
        return prefix;
    }

    /** A key of numbers behind the prefix. */
    static byte[] numbered(String name, int lane, long number) {
        return KeyBytes.key().add(name).add(lane).add(number).toBytes();
    }
}
