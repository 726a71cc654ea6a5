package io.fluxmark.cli.log;

import io.fluxmark.aggregate.DurationText;
import io.fluxmark.log.Retention;
import java.time.Duration;
import java.util.Locale;

/** How commands write numbers and settings. Stateless. */
final class Texts {

    private Texts() {}

    /** {@code 1 record}, {@code 2,000 records}. */
    static String count(long number, String noun) {
        return String.format(Locale.ROOT, "%,d %s%s", number, noun, number == 1 ? "" : "s");
    }

    static String retention(Retention retention) {
        String age = retention
                .maxAge()
                .map(Duration::toMillis)
                .map(DurationText::text)
                .orElse("");
        String bytes = retention.maxBytes().isPresent()
                ? count(retention.maxBytes().getAsLong(), "byte") + " of each partition"
                : "";
        return age.isEmpty() && bytes.isEmpty()
                ? "forever"
                : age + (age.isEmpty() || bytes.isEmpty() ? "" : ", ") + bytes;
    }
}
