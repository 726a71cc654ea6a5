package io.fluxmark.aggregate.check;

import java.util.ArrayList;
import java.util.List;

/** What is not as it should be: the first few, and how many there are. */
final class Differences {

    private static final int SHOWN = 10;

    private final List<String> first = new ArrayList<>();
    private long count;

    void add(String text) {
        count++;
        if (first.size() < SHOWN) {
            first.add(text);
        }
    }

    void expect(String what, long expected, long actual) {
        if (expected != actual) {
            add(what + ": the batch has " + expected + ", the run " + actual);
        }
    }

    long count() {
        return count;
    }

    List<String> first() {
        return first;
    }
}
