package io.fluxmark.quickstart;

/** Durations for people. */
final class Durations {

    private Durations() {}

    /** The two largest units that are not zero, for example {@code 2h}, {@code 1h30m}, {@code -22m}, {@code 0}. */
    static String text(long millis) {
        if (millis < 0) {
            return "-" + text(-millis);
        }
        long seconds = millis / 1_000;
        if (seconds == 0) {
            return millis == 0 ? "0" : millis + "ms";
        }
        long days = seconds / 86_400;
        long hours = seconds / 3_600 % 24;
        long minutes = seconds / 60 % 60;
        if (days > 0) {
            return days + "d" + (hours > 0 ? hours + "h" : "");
        }
        if (hours > 0) {
            return hours + "h" + (minutes > 0 ? minutes + "m" : "");
        }
        return minutes > 0 ? minutes + "m" + (seconds % 60 > 0 ? seconds % 60 + "s" : "") : seconds + "s";
    }
}
