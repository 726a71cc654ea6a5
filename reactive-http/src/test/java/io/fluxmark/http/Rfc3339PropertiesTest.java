package io.fluxmark.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.LongRange;

class Rfc3339PropertiesTest {

    @Property
    void acceptsWhateverJavaTimePrints(
            @ForAll @LongRange(min = -62_167_219_200L, max = 253_402_300_799L) long second,
            @ForAll @IntRange(max = 999_999_999) int nano,
            @ForAll @IntRange(min = -1_079, max = 1_079) int offsetMinutes) {
        OffsetDateTime time = Instant.ofEpochSecond(second, nano).atOffset(ZoneOffset.UTC);
        String local = time.toLocalDateTime().format(DateTimeFormatter.ISO_LOCAL_DATE_TIME);

        assertThat(Rfc3339.isValid(local + ZoneOffset.ofTotalSeconds(60 * offsetMinutes)))
                .isTrue();
        assertThat(Rfc3339.isValid(local)).isFalse();
    }
}
