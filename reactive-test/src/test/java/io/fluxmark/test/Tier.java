package io.fluxmark.test;

/** How many cases a randomised test runs. */
final class Tier {

    private Tier() {}

    /** {@code thorough} in the thorough tier, else {@code small}. */
    static int cases(int small, int thorough) {
        return System.getProperty("fluxmark.tier", "small").equals("thorough") ? thorough : small;
    }
}
