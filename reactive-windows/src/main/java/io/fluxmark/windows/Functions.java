package io.fluxmark.windows;

/**
 * What a pipeline under assembly knows of its users' functions; immutable.
 *
 * @param count how many operators with a function there are: part of their names
 * @param ofResults whether those to come are given the results of a window
 * @param policy what becomes of what they fail on
 */
record Functions(int count, boolean ofResults, FailurePolicy policy) {

    static final Functions NONE = new Functions(0, false, FailurePolicy.fail());

    /** The name of the next operator with a function: stable as long as those before it stay. */
    String nextName(String kind) {
        return kind + "-" + (count + 1);
    }

    Functions next() {
        return new Functions(count + 1, ofResults, policy);
    }

    Functions behindWindow() {
        return new Functions(count + 1, true, policy);
    }

    Functions with(FailurePolicy newPolicy) {
        return new Functions(count, ofResults, newPolicy);
    }

    /** What holds behind a union with a stream of others. */
    Functions and(Functions others) {
        return new Functions(count + others.count, ofResults || others.ofResults, policy);
    }
}
