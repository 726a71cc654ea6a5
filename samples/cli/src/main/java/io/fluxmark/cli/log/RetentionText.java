package io.fluxmark.cli.log;

import io.fluxmark.aggregate.DurationText;
import io.fluxmark.cli.console.Texts;
import io.fluxmark.log.Retention;
import java.time.Duration;

/** How commands write how long a topic keeps its records. Stateless. */
final class RetentionText {

    private RetentionText() {}

    static String of(Retention retention) {
        String age = retention
                .maxAge()
                .map(Duration::toMillis)
                .map(DurationText::text)
                .orElse("");
        String bytes = retention.maxBytes().isPresent()
                ? Texts.count(retention.maxBytes().getAsLong(), "byte") + " of each partition"
                : "";
        return age.isEmpty() && bytes.isEmpty()
                ? "forever"
                : age + (age.isEmpty() || bytes.isEmpty() ? "" : ", ") + bytes;
    }
}
