package io.fluxmark.cli.console;

import java.util.Locale;

/** How commands write numbers. Stateless. */
public final class Texts {

    private Texts() {}

    /** {@code 1 record}, {@code 2,000 records}. */
    public static String count(long number, String noun) {
        return String.format(Locale.ROOT, "%,d %s%s", number, noun, number == 1 ? "" : "s");
    }
}
